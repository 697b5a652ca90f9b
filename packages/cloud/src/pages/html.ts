import { createHash } from 'node:crypto'

/** Text that is HTML: the only thing that `html` puts into a page as it is. */
export interface Html {
  readonly html: string
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (value: string | number | Html | readonly Html[]): string => {
  if (Array.isArray(value)) return value.map(escaped).join('')
  if (typeof value === 'object') return (value as Html).html
  return String(value).replaceAll(/[&<>"']/g, (each) => ESCAPES[each] ?? each)
}

/** Writes HTML; whatever is filled in is escaped, unless it is HTML itself. */
export const html = (
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html => ({
  html: parts
    .map((part, index) => part + (index < values.length ? escaped(values[index] ?? '') : ''))
    .join(''),
})

const STYLE = `
:root{color-scheme:light dark;--line:#8886}
body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.5rem;line-height:1.25}
main.narrow{max-width:22rem;margin:10vh auto 0}
label{display:block;margin:.75rem 0}
input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.5rem;border:1px solid var(--line);border-radius:.3rem}
button{font:inherit;padding:.5rem 1rem;border:1px solid var(--line);border-radius:.3rem;margin-right:.5rem}
form{display:inline}
.problem{border-left:.25rem solid #c33;padding-left:.75rem}
video,img{display:block;max-width:100%;max-height:70vh;background:#000;border-radius:.3rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}
dt{opacity:.7}
dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
li{margin:.5rem 0}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** A page and the headers that it needs. */
export interface Page {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** What a page may do beyond being read. */
export interface PagePowers {
  /** Where its forms may lead to, also by redirects. */
  readonly formAction?: string
  /** Where its pictures and videos may come from. */
  readonly media?: readonly string[]
}

/** Makes a page without scripts that nothing else can frame, run in or send to. */
export const createPage = (title: string, content: Html, powers: PagePowers = {}): Page => {
  const { formAction = "'none'", media = [] } = powers
  const sources = media.length > 0 ? `; img-src ${media.join(' ')}; media-src ${media.join(' ')}` : ''
  const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'${sources}`
  const style: Html = { html: `<style>${STYLE}</style>` }
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${style}
</head>
<body>
${content}
</body>
</html>
`
  return {
    body: page.html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      // Stricter ones make a browser hide its origin from the form's own server.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  }
}
