/** A page of a browser that is not Chromium, driven by what is written on it: elements are found by XPath. */
export interface Screen {
  readonly browser: string;
  go(url: string): Promise<void>;
  address(): Promise<string>;
  /** Waits until the element is visible; answers its text. */
  see(xpath: string): Promise<string>;
  click(xpath: string): Promise<void>;
  /** Types into a field what a person would, character by character. */
  type(xpath: string, text: string): Promise<void>;
  press(key: 'Enter' | 'Escape'): Promise<void>;
  screenshot(file: string): Promise<void>;
  close(): Promise<void>;
}

/** How long an element may take to appear, in ms: software rendering beside a server on two processors. */
export const PATIENCE_MS = 60_000;

const quoted = (text: string): string => (text.includes('"') ? `'${text}'` : `"${text}"`);

/** XPath of a button, a link or an entry of a menu by its whole name. */
export function named(name: string): string {
  const text = quoted(name);
  return (
    `//*[self::button or self::a or @role="menuitem" or @role="tab"][normalize-space()=${text} or ` +
    `@aria-label=${text}]`
  );
}

/** XPath of a field by its label. */
export function field(label: string): string {
  const text = quoted(label);
  return (
    `(//label[normalize-space()=${text}]//*[self::input or self::textarea] | //*[self::input or ` +
    `self::textarea][@aria-label=${text} or @id=//label[normalize-space()=${text}]/@for])[1]`
  );
}

/** XPath of the innermost element that holds a text. */
export const saying = (text: string): string =>
  `//body//*[contains(normalize-space(), ${quoted(text)}) and not(*[contains(normalize-space(), ${quoted(text)})])]`;
