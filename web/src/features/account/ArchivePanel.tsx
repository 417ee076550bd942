import { getArchive } from '@quantloom/domain/contracts/http/calls';
import { useMutation } from '@tanstack/react-query';
import { api, messageOf } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/Page.tsx';

/**
 * Everything in the account as one file, which the browser downloads by itself: it may be larger than what a
 * page can hold.
 */
export function ArchivePanel() {
  const archive = useMutation({
    mutationFn: async () => {
      const answer = await api().call(getArchive, { query: { link: true } });
      if (typeof answer === 'string') throw new Error('The answer has no address of an archive');
      return answer.presigned_url;
    },
    onSuccess: (url) => {
      const link = document.createElement('a');
      link.href = url;
      link.download = '';
      link.click();
    },
  });
  return (
    <Panel title="Download everything">
      <div className="flex flex-col items-start gap-3">
        <p className="text-muted">
          One ZIP file with your strategies and all of their revisions, variable lists, batches with their
          results, and the history of your account. Strategies in it can be imported again.
        </p>
        <Button isBusy={archive.isPending} onClick={() => archive.mutate()}>
          Download everything
        </Button>
        <p role="status" className={archive.isSuccess ? 'text-accent' : 'sr-only'}>
          {archive.isSuccess && 'Your browser is downloading the file.'}
        </p>
        {archive.isError && (
          <p role="alert" className="text-danger">
            {messageOf(archive.error)}
          </p>
        )}
      </div>
    </Panel>
  );
}
