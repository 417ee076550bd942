/** What a line may be long: as the formatter has it. */
const LINE = 110;
/** A function in the compiler's declarations, behind a comment with the types of its parameters and answer. */
const FUNCTION = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export function (\w+)\(([^)]*)\): (\w+);/g;
/** An exported constant. */
const CONSTANT = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*export const (\w+): \{/g;
const PARAMETER = /@param (\w+) `(\w+)`/g;

/**
 * The TypeScript of what a kernel exports, from the declarations that AssemblyScript writes beside it: an
 * interface with its functions, its constants and its memory. Functions that take or give vectors are left
 * out, since only other kernels can call them.
 */
export function exportsText(declarations: string): string {
  const lines: string[] = [];
  if (declarations.includes('export const memory')) lines.push('readonly memory: WebAssembly.Memory;');
  for (const [, name] of declarations.matchAll(CONSTANT))
    if (name !== 'memory') lines.push(`readonly ${name}: { readonly value: number };`);
  for (const [, comment = '', name, , answer] of declarations.matchAll(FUNCTION)) {
    if (comment.includes('`v128`')) continue;
    const parameters = [...comment.matchAll(PARAMETER)].map(
      ([, parameter, type]) => `${parameter}: ${type === 'usize' ? 'Address' : 'number'}`,
    );
    lines.push(signature(name as string, parameters, answer as string));
  }
  const address = lines.some((line) => line.includes('Address'))
    ? '/** Byte offset into the memory that a kernel works on. */\ntype Address = number;\n\n'
    : '';
  return `// Written by \`npm run build:kernels\` from \`assembly/\`, where it is said what each of them computes.
// Not to be changed by hand.
${address}export interface KernelExports {
${lines.map((line) => `  ${line}`).join('\n')}
}
`;
}

/** On one line where it fits, else with a parameter on each. */
function signature(name: string, parameters: readonly string[], answer: string): string {
  const line = `${name}(${parameters.join(', ')}): ${answer};`;
  if (line.length + 2 <= LINE) return line;
  return [`${name}(`, ...parameters.map((parameter) => `    ${parameter},`), `  ): ${answer};`].join('\n');
}
