import { type Html, html } from '../kernel/html.ts';
import { PRODUCT_NAME } from '../kernel/product.ts';
import type { MailMessage } from '../ports/mail.ts';

export interface Letter {
  readonly to: string;
  readonly subject: string;
  /** One paragraph each. */
  readonly paragraphs: readonly string[];
  readonly button?: { readonly label: string; readonly url: string };
  /** Why somebody got this, and what to do if it was not them. */
  readonly closing: string;
}

/** Colours of the product's light theme: mail programs know no `light-dark()`. */
const document = ({ subject, paragraphs, button, closing }: Letter): Html => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${subject}</title></head>
<body style="margin:0;padding:24px 16px;background:#f7f8f7;color:#131816;font:16px/24px system-ui,-apple-system,'Segoe UI',sans-serif">
  <div style="max-width:480px;margin:0 auto">
    <p style="margin:0 0 16px;font-weight:600">${PRODUCT_NAME}</p>
    <div style="background:#fff;border:1px solid #e1e5e3;border-radius:6px;padding:24px">
      <h1 style="margin:0 0 12px;font-size:20px;line-height:28px">${subject}</h1>
      ${paragraphs.map((text) => html`<p style="margin:0 0 12px">${text}</p>`)}
      ${
        button !== undefined &&
        html`<p style="margin:20px 0"><a href="${button.url}" style="display:inline-block;background:#0d7a4a;color:#fff;padding:10px 18px;border-radius:6px;text-decoration:none;font-weight:600">${button.label}</a></p>
      <p style="margin:0 0 12px;font-size:13px;line-height:20px;color:#4d5753">Or copy this address into your browser:<br><a href="${button.url}" style="color:#0b6d42;word-break:break-all">${button.url}</a></p>`
      }
    </div>
    <p style="margin:16px 0 0;font-size:13px;line-height:20px;color:#4d5753">${closing}</p>
  </div>
</body>
</html>`;

/** A message in the product's look, as text and as HTML. */
export function letter(content: Letter): MailMessage {
  const { to, subject, paragraphs, button, closing } = content;
  const text = [
    subject,
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    '--',
    closing,
  ];
  return { to, subject, text: `${text.join('\n\n')}\n`, html: document(content).text };
}
