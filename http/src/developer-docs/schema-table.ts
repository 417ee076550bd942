import { type Html, html } from '@quantloom/domain/kernel/html';
import { type Json, referenceName } from './documented-schema.ts';

/** Values of a list that are shown. */
const MOST_VALUES = 30;

/** A description with its `words` of code set as such. */
export function wordsOf(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

/** A schema's type in a few words, with links to the named ones. */
export function typeOf(schema: Json): Html {
  const name = referenceName(schema);
  if (name !== null) return html`<a href="/developers/schemas/${name}">${name}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (Array.isArray(schema.enum)) {
    const values = schema.enum.slice(0, MOST_VALUES) as readonly unknown[];
    const more = schema.enum.length - values.length;
    return html`${values.map((value) => html`<code>${JSON.stringify(value)}</code> `)}${more > 0 ? `and ${more} more` : ''}`;
  }
  const options = (schema.anyOf ?? schema.oneOf) as readonly Json[] | undefined;
  if (options) return html`${options.map((option, i) => html`${i > 0 ? ' or ' : ''}${typeOf(option)}`)}`;
  if (schema.type === 'array') return html`list of ${typeOf((schema.items as Json | undefined) ?? {})}`;
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return html`map to ${typeOf(schema.additionalProperties as Json)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
  return html`${type}${bounds(schema)}`;
}

/** `, 0 to 1000`. */
function bounds({ minimum, maximum, maxLength, maxItems }: Json): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, from ${minimum}`;
  if (maximum !== undefined) return `, at most ${maximum}`;
  if (maxLength !== undefined) return `, at most ${maxLength} characters`;
  return maxItems === undefined ? '' : `, at most ${maxItems}`;
}

interface Field {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** Fields of an object; those of unnamed objects in it with their path. */
function fieldsOf(schema: Json, prefix = ''): readonly Field[] {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const items = field.type === 'array' ? ((field.items ?? {}) as Json) : field;
    return [
      { name: path, schema: field, isRequired: required.includes(name) },
      ...fieldsOf(items, `${path}${items === field ? '.' : '[].'}`),
    ];
  });
}

/** The fields of a schema as a table; of one that is no object, its type in a line. */
export function schemaTable(title: string, schema: Json): Html {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return html`<p>${typeOf(schema)}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>
    ${fields.map(
      ({ name, schema: field, isRequired }) =>
        html`<tr><td><code>${name}</code>${isRequired && html` <span class="required">required</span>`}</td><td>${typeOf(field)}</td><td>${wordsOf(typeof field.description === 'string' ? field.description : '')}</td></tr>`,
    )}
    </tbody></table></div>`;
}
