/** Resolves to true for the passwords that anybody would try first. */
export type IsCommonPassword = (lowerCase: string) => Promise<boolean>;

let list: Promise<ReadonlySet<string>> | null = null;

/**
 * The 49,000 most common passwords of stolen lists, from `@zxcvbn-ts/language-common`; read when the first
 * password is chosen, since most processes never need them.
 */
export const isCommonPassword: IsCommonPassword = async (lowerCase) => {
  list ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as readonly string[]),
  );
  return (await list).has(lowerCase);
};
