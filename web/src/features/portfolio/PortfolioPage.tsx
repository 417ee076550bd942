import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../ui/feedback.tsx';
import { Page } from '../../ui/Page.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { followed } from '../forward-test/follows.ts';
import { Favorites } from './Favorites.tsx';
import { keptPortfolio } from './kept.ts';
import { OwnPortfolio } from './OwnPortfolio.tsx';

/** All followed strategies as one portfolio, and the favourites with their latest backtests. */
export default function PortfolioPage() {
  const follows = useQuery(followed);
  const kept = useQuery(keptPortfolio);
  const error = follows.error ?? kept.error;
  if (error && !(follows.data && kept.data !== undefined))
    return (
      <Page title="Portfolio">
        <ErrorState
          title="The portfolio could not be loaded"
          error={error}
          onRetry={() => {
            void follows.refetch();
            void kept.refetch();
          }}
        >
          It is safe on the server.
        </ErrorState>
      </Page>
    );
  if (!follows.data || kept.data === undefined) return <LoadingPane />;
  return (
    <Page
      title="Portfolio"
      isPrinted
      description="The strategies that you follow, held together by weights of your own."
    >
      <OwnPortfolio follows={follows.data} kept={kept.data} />
      <div className="print:hidden">
        <Favorites />
      </div>
    </Page>
  );
}
