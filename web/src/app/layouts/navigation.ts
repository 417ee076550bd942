import { useFeature } from '../../lib/auth/session.ts';

/** The links of the top bar, by the user's features. */
export function useNavigation() {
  const hasBatches = useFeature('web.batch-backtests.create');
  const isAdmin = useFeature('web.admin.view');
  return {
    isAdmin,
    hasBatches,
    links: [
      { to: '/drafts', label: 'Drafts' },
      ...(hasBatches
        ? [
            { to: '/variable-lists', label: 'Variables' },
            { to: '/batch-backtests', label: 'Batch Tests' },
          ]
        : []),
    ],
  };
}
