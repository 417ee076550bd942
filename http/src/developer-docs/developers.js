// Copy buttons and the form that tries a call. The pages are complete without it.
for (const button of document.querySelectorAll('button.copy')) {
  const text = button.parentElement?.nextElementSibling;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text?.textContent ?? '');
    button.textContent = 'Copied';
  });
}

const form = document.querySelector('section.try');
if (form instanceof HTMLElement) {
  form.hidden = false;
  const status = form.querySelector('.status');
  const answer = form.querySelector('.answer');
  form.querySelector('p > button')?.addEventListener('click', async () => {
    const values = [...form.querySelectorAll('input[data-in]')].filter(({ value }) => value !== '');
    let path = form.dataset.path ?? '';
    const query = new URLSearchParams();
    for (const { name, value, dataset } of values)
      if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
      else query.append(name, value);
    const token = document.querySelector('#try-token')?.value.trim();
    const body = document.querySelector('#try-body')?.value;
    status.textContent = 'Sending…';
    answer.hidden = true;
    try {
      const response = await fetch(query.size > 0 ? `${path}?${query}` : path, {
        method: form.dataset.method,
        headers: {
          accept: 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      const isJson = /json/.test(response.headers.get('content-type') ?? '');
      status.textContent = `${response.status} ${response.statusText}`;
      answer.textContent = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text.slice(0, 100_000);
      answer.hidden = false;
    } catch (error) {
      status.textContent = `The call could not be sent: ${error instanceof Error ? error.message : error}`;
    }
  });
}
