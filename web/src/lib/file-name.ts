/** Characters of a strategy's name in the name of a file. */
const MOST = 60;

/** `Core-holding-monthly-returns.csv`: what it is of first, so that files of several strategies can be told apart. */
export function fileNameOf(name: string, rest: string): string {
  const plain = name
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .slice(0, MOST)
    .replace(/^[-.]+|[-.]+$/g, '');
  return plain === '' ? rest : `${plain}-${rest}`;
}
