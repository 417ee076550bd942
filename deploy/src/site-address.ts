const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Where a page that was asked for under another loopback name belongs, as an absolute address, or `null`
 * where it is right. The issuer and the content security policy know one name only, so that signing in fails
 * under the others. Other hosts are left alone: what is between them and this process, and what it makes of
 * names and ports, is not known here.
 * @param host the request's `Host` header
 * @param target path and query of the request
 */
export function addressUnderPublicName(
  host: string | undefined,
  target: string,
  publicUrl: string,
): string | null {
  const own = new URL(publicUrl);
  if (host === undefined || !URL.canParse(`http://${host}`)) return null;
  const { hostname, port } = new URL(`http://${host}`);
  const areBothHere = LOOPBACK.includes(hostname) && LOOPBACK.includes(own.hostname);
  // A target that begins with two slashes would name another host.
  return areBothHere && hostname !== own.hostname && port === own.port
    ? own.origin + target.replace(/^\/+/, '/')
    : null;
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Puts the address of the installation, and that of one page, into a file that was built without knowing them. */
export function withAddresses(text: string, publicUrl: string, pathname: string): string {
  return text
    .replaceAll('{{publicUrl}}', escaped(publicUrl))
    .replaceAll('{{pageUrl}}', escaped(new URL(encodeURI(pathname), publicUrl).href));
}
