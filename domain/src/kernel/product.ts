/** The product's name, in one place. Everything that shows or sends a name reads it from here. */
export const PRODUCT_NAME = 'Quantloom';

/** Part of every result's provenance; raise it whenever a change of the engine can change a number. */
export const ENGINE_VERSION = '5';
