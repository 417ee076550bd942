/** What the tabs of a browser tell each other about the session that they share. */
export type TabNews =
  | { readonly type: 'tab.signedOut' }
  | { readonly type: 'tab.signedIn'; readonly userId: string };

let opened: BroadcastChannel | null = null;

/** One for the whole page: a channel hears all others of its name, those of its own page included. */
function channel(): BroadcastChannel {
  opened ??= new BroadcastChannel('quantloom-session');
  return opened;
}

function newsOf(data: unknown): TabNews | null {
  const { type, userId } = (data ?? {}) as Record<string, unknown>;
  if (type === 'tab.signedOut') return { type };
  return type === 'tab.signedIn' && typeof userId === 'string' ? { type, userId } : null;
}

/** Tells all other tabs of this browser. */
export function tellTabs(news: TabNews): void {
  channel().postMessage(news);
}

/** Calls back with what other tabs tell. Returns how to stop listening. */
export function onTabNews(listener: (news: TabNews) => void): () => void {
  const hear = ({ data }: MessageEvent<unknown>) => {
    const news = newsOf(data);
    if (news) listener(news);
  };
  channel().addEventListener('message', hear);
  return () => channel().removeEventListener('message', hear);
}
