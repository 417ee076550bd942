/** The script of the issuer's pages: shows passwords, and asks the browser for passkeys. What it adds is hidden where it can't work. */
export const PAGE_JS = `for (const button of document.querySelectorAll('[data-reveal]')) {
  const field = document.getElementById(button.dataset.reveal);
  button.hidden = false;
  button.addEventListener('click', () => {
    const isShown = field.type === 'text';
    field.type = isShown ? 'password' : 'text';
    button.textContent = isShown ? 'Show' : 'Hide';
    button.setAttribute('aria-pressed', String(!isShown));
  });
}

// The issuer takes a signature for five minutes: asking for one later would leave a passkey behind that nobody knows.
const LATE_AFTER_MS = 4.5 * 60 * 1000;
const credentials = window.PublicKeyCredential;
const hasPasskeys = typeof credentials?.parseRequestOptionsFromJSON === 'function';

const FAULTS = {
  InvalidStateError: 'This device has a passkey of your account already.',
  NotAllowedError: 'No passkey was used. You can try again.',
};

async function answerOf({ passkey, options }) {
  if (performance.now() > LATE_AFTER_MS) return 'late';
  const wanted = JSON.parse(options);
  const answer =
    passkey === 'create'
      ? await navigator.credentials.create({ publicKey: credentials.parseCreationOptionsFromJSON(wanted) })
      : await navigator.credentials.get({ publicKey: credentials.parseRequestOptionsFromJSON(wanted) });
  return JSON.stringify(answer);
}

for (const part of document.querySelectorAll('[data-needs-passkeys]')) part.hidden = !hasPasskeys;
for (const part of document.querySelectorAll('[data-without-passkeys]')) part.hidden = hasPasskeys;
for (const button of document.querySelectorAll('[data-passkey]')) {
  const { form } = button;
  const told = form.querySelector('[data-passkey-fault]');
  button.addEventListener('click', async (event) => {
    event.preventDefault();
    if (!form.reportValidity()) return;
    button.disabled = true;
    told.textContent = '';
    try {
      form.elements.passkey.value = await answerOf(button.dataset);
      form.submit();
    } catch (error) {
      told.textContent = FAULTS[error.name] ?? 'This browser could not use a passkey here.';
      button.disabled = false;
      button.focus();
    }
  });
  // Whoever presses Enter behind the password, and has no code, means the passkey.
  form.addEventListener('submit', (event) => {
    const { code } = form.elements;
    if (!hasPasskeys || !code || code.value !== '' || document.activeElement?.type !== 'password') return;
    event.preventDefault();
    button.click();
  });
}
`;
