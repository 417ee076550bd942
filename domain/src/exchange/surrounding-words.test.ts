import { describe, expect, test } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { importSource } from './import-source.ts';
import { printStrategy } from './text/printer.ts';

let made = 0;
const newId = () => {
  made += 1;
  return `node_${made}`;
};

const JSON_SOURCE = JSON.stringify(
  {
    step: 'root',
    name: 'Said "so" {here}',
    rebalance: 'daily',
    children: [{ step: 'wt-cash-equal', children: [{ step: 'asset', ticker: 'QQQ' }] }],
  },
  null,
  2,
);
const EDN_SOURCE = '{:step "root" :name "E" :rebalance "daily" :children [{:step "asset" :ticker "QQQ"}]}';
const FORM_SOURCE = '(defsymphony "F" {:rebalance-frequency :daily} (weight-equal [(asset "QQQ" "a fund")]))';

/** The tree as text with its name, what the report says of words, and how many strategies there are besides. */
function read(given: string) {
  const result = importSource(given, newId);
  if (isRefusal(result)) return { name: result.detail, text: '', words: [], further: 0 };
  return {
    name: result.name,
    text: printStrategy(result.algorithm).split(/\n\n/, 2)[1]?.trim() ?? '',
    words: result.report.items.flatMap(({ said }) => (/words|marks/.test(said) ? [said] : [])),
    further: result.further.length,
  };
}

describe('words around a strategy', () => {
  test.each([
    ['JSON', JSON_SOURCE],
    ['EDN', EDN_SOURCE],
    ['the text form', FORM_SOURCE],
  ])('are left out of %s, and told', (_, source) => {
    const alone = read(source);

    const amid = read(`Here is my strategy (v2) {see below} [new]:\n\n${source}\nLet me know!`);

    expect(amid).toEqual({
      ...alone,
      words: [
        'words around it ("Here is my strategy (v2) {see below} [new]:")',
        'words around it ("Let me know!")',
      ],
    });
    expect(alone.text).toContain('QQQ');
  });

  test('may stand before, behind, and around a block of code', () => {
    const alone = read(JSON_SOURCE);
    for (const amid of [
      `Here: ${JSON_SOURCE}`,
      `${JSON_SOURCE}\n\nThanks, "Bob"`,
      `Hello,\n\n\`\`\`json\n${JSON_SOURCE}\n\`\`\`\nBob`,
    ])
      expect(read(amid), amid.slice(0, 20)).toMatchObject({ name: alone.name, text: alone.text });
  });

  test('a reply of a mail is read without its marks', () => {
    const reply = `Bob wrote:\n${JSON_SOURCE.replace(/^/gm, '> ')}`;
    expect(read(reply)).toMatchObject({ text: read(JSON_SOURCE).text });
    expect(read(reply).words).toContain('the marks of a reply (">") at the beginnings of lines');
  });

  test('several strategies amid words are all imported', () => {
    const other = JSON_SOURCE.replaceAll('QQQ', 'SPY');
    expect(read(`First: ${JSON_SOURCE}\nSecond: ${other}\n`).further).toBe(1);
  });

  test('a fault inside a strategy stays that fault, in its line', () => {
    const broken = JSON_SOURCE.replace('"daily",', '"daily" "x",');
    expect(read(broken).name).toMatch(/line 4/);
    expect(read(`Here is it:\n${broken}`).name).toMatch(/line 5/);
  });

  test('what had to be put right inside a strategy is told beside the words', () => {
    const slip = JSON_SOURCE.replace(/\}$/, ',}');
    for (const given of [`Here is it:\n${slip}`, `First: ${slip}\nSecond: ${JSON_SOURCE}`]) {
      const result = importSource(given, newId);
      const said = isRefusal(result) ? [result.detail] : result.report.items.map((item) => item.said);
      expect(said.join('; '), given.slice(0, 10)).toMatch(/words around it.*comma before a closing bracket/);
    }
  });

  test('strategies in several notations are asked for one by one', () => {
    expect(read(`A: ${JSON_SOURCE} B: ${EDN_SOURCE}`).name).toBe(
      'These are strategies in several notations: give them one by one.',
    );
  });

  test('a text of our own is never taken for something amid words', () => {
    const own = importSource('if rsi(QQQ, 10) > 79 then UVXY else QQQ', newId);
    expect(isRefusal(own) ? own.detail : printStrategy(own.algorithm)).toContain('UVXY');
    expect(read('This { is } no [ strategy').name).toMatch(/^This cannot be read as a strategy/);
  });

  test.each(['#java.util.Date "x" {:a 1}', '#=(System/exit 0)', '#inst"2020-01-01"'])(
    'a tagged value at the beginning is called by its name: %s',
    (given) => {
      expect(read(given).name).toMatch(/tagged value or a reader macro/);
    },
  );

  test.each([
    ['brackets that are never closed', '{"'.repeat(200_000)],
    ['many small objects', 'word {"a":1} '.repeat(100_000)],
    ['marks of replies', '>'.repeat(1_000_000)],
    ['blocks of code', '```\n'.repeat(300_000)],
  ])('hostile words take no longer than reading them: %s', (_, given) => {
    expect(read(`Here: ${given}`).text).toBe('');
  });
});
