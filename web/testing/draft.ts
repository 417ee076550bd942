/** A line of somebody's strategies, which was never run. */
export const draftOf = (id: string, name: string, over: object = {}) => ({
  id,
  name,
  type: 'bot',
  is_public: false,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
  variables: [],
  last_run: null,
  ...over,
});
