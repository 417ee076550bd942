/** Where a copied block waits in the local storage, for every page and tab. */
export const COPIED_NODE_KEY = 'copiedNode';
