const PATH = /^[\w$-]+(\.[\w$-]+)*$/;
const COLLECTION = /^[A-Za-z]\w*$/;

/** A dotted path through objects (not through arrays). Throws on anything else, since paths become part of queries. */
export function fieldPath(path: string): string {
  if (!PATH.test(path)) throw new Error(`"${path}" is not a field path`);
  return path;
}

/** Throws on a name that is not an identifier. */
export function collectionName(name: string): string {
  if (!COLLECTION.test(name)) throw new Error(`"${name}" is not a collection name`);
  return name;
}

export const unknownCollection = (name: string) =>
  new Error(`There is no collection ${name}: create it with ensureCollection`);
