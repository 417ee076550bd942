/** A function in the compiler's declarations, behind a comment that says the types of its parameters and of its answer. */
const FUNCTION = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export function (\w+)\(([^)]*)\): (\w+);/g;
/** An exported constant. */
const CONSTANT = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*export const (\w+): \{/g;
const PARAMETER = /@param (\w+) `(\w+)`/g;

/**
 * The TypeScript of what a kernel exports, from the declarations that AssemblyScript writes beside it: an interface with its functions, its constants
 * and its memory. Functions that take or give vectors are left out, since only other kernels can call them.
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
    lines.push(`${name}(${parameters.join(', ')}): ${answer};`);
  }
  const address = lines.some((line) => line.includes('Address'))
    ? '/** Byte offset into the memory that a kernel works on. */\ntype Address = number;\n\n'
    : '';
  return `// Written by \`npm run build:kernels\` from \`assembly/\`, where it is said what each of them computes. Not to be changed by hand.
${address}export interface KernelExports {
${lines.map((line) => `  ${line}`).join('\n')}
}
`;
}
