/** `npm start`. The product itself is loaded once compiled code is kept, so that its own is. */
import './code-cache.ts';

await import('./start-product.ts');
