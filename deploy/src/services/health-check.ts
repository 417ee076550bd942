/** Exit code 0 when the service of this container is ready, for health checks without other programs. */
const port = process.env.PORT ?? '8080';
try {
  const answer = await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(4_000) });
  process.exit(answer.ok ? 0 : 1);
} catch {
  process.exit(1);
}
