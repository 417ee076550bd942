/** The only host of Alpaca that is asked: accounts of real money are at another one. */
const PAPER_HOST = 'paper-api.alpaca.markets';
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Why no paper account may be asked at an address, in words; null: it may. Only Alpaca's paper host, or a
 * stand-in on this machine.
 */
export function paperHostFault(address: string): string | null {
  if (!URL.canParse(address)) return 'it is not an address';
  const { protocol, hostname, port, username, password } = new URL(address);
  if (username !== '' || password !== '') return 'a name or password stands in it';
  if (LOOPBACK.has(hostname) && protocol === 'http:') return null;
  if (hostname !== PAPER_HOST) return `only ${PAPER_HOST} is asked: there is no trading with real money`;
  return protocol === 'https:' && port === '' ? null : `it has to be https://${PAPER_HOST}`;
}
