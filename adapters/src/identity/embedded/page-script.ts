/**
 * The script of the issuer's pages: shows passwords, and asks the browser for passkeys. What it adds is
 * hidden where it can't work.
 */
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

async function answerOf({ passkey, options, autofill }, more = {}, alone = {}) {
  // A sign-in page asks for as long as it can be used at all.
  if (autofill === undefined && performance.now() > LATE_AFTER_MS) return 'late';
  const wanted = { ...JSON.parse(options), ...alone };
  const answer =
    passkey === 'create'
      ? await navigator.credentials.create({ publicKey: credentials.parseCreationOptionsFromJSON(wanted) })
      : await navigator.credentials.get({ publicKey: credentials.parseRequestOptionsFromJSON(wanted), ...more });
  return JSON.stringify(answer);
}

function send(form, answer) {
  form.elements.passkey.value = answer;
  form.submit();
}

// Without the password beside it a passkey must know its owner.
const isAlone = (form) => form.dataset.passkeyAlone !== undefined && form.elements.password.value === '';

// Among what the browser fills in for the address, it offers the passkeys that it has for this page.
function offerInField(button) {
  let waiting = null;
  const start = async () => {
    if (!hasPasskeys || !(await credentials.isConditionalMediationAvailable?.())) return;
    waiting = new AbortController();
    try {
      send(button.form, await answerOf(button.dataset, { mediation: 'conditional', signal: waiting.signal }));
    } catch {
      // It was stopped, or the browser can't: nobody has asked for anything yet, and the button says what is wrong.
    }
  };
  start();
  return { start, stop: () => waiting?.abort() };
}

for (const part of document.querySelectorAll('[data-needs-passkeys]')) part.hidden = !hasPasskeys;
for (const part of document.querySelectorAll('[data-without-passkeys]')) part.hidden = hasPasskeys;
for (const button of document.querySelectorAll('[data-passkey]')) {
  const { form } = button;
  const told = form.querySelector('[data-passkey-fault]');
  const offer = button.dataset.autofill === undefined ? null : offerInField(button);
  button.addEventListener('click', async (event) => {
    event.preventDefault();
    if (!form.reportValidity()) return;
    button.disabled = true;
    offer?.stop();
    told.textContent = '';
    try {
      send(form, await answerOf(button.dataset, {}, isAlone(form) ? { userVerification: 'required' } : {}));
    } catch (error) {
      told.textContent = FAULTS[error.name] ?? 'This browser could not use a passkey here.';
      button.disabled = false;
      button.focus();
      offer?.start();
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
