import { createHash } from 'node:crypto'
import { escapeHtml } from '@vid/protocol'

/** A fragment of HTML: the only value that `html` inserts without escaping. */
export interface Html {
  readonly html: string
}

const escaped = (value: string | number | Html | readonly Html[]): string => {
  if (Array.isArray(value)) return value.map(escaped).join('')
  if (typeof value === 'object') return (value as Html).html
  return escapeHtml(String(value))
}

/** Template tag for HTML; escapes every value that is not itself `Html`. */
export const html = (
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html => ({
  html: parts.map((part, index) => part + (index < values.length ? escaped(values[index] ?? '') : '')).join(''),
})

const STYLE = `
:root{color-scheme:light dark;--line:#8886;--soft:light-dark(#5a5f66,#a3a8af)}
body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.5rem;line-height:1.25}
main.narrow{max-width:22rem;margin:10vh auto 0}
label{display:block;margin:.75rem 0}
input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.5rem;border:1px solid var(--line);border-radius:.3rem}
button{font:inherit;padding:.5rem 1rem;border:1px solid var(--line);border-radius:.3rem;margin-right:.5rem}
form{display:inline}
.problem{border-left:.25rem solid #c33;padding-left:.75rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
li{margin:.5rem 0}
:focus-visible{outline:2px solid;outline-offset:2px}
body:has(.video){max-width:72rem;padding:clamp(1rem,4vw,3rem)}
.video :is(vid-player,video,img){--box:var(--ratio,1.7778);display:block;width:min(100%,72vh*var(--box));max-height:none;margin:0 auto;background:#000;border-radius:.5rem;box-shadow:0 1px 2px #0003,0 12px 40px #0003}
.video :is(vid-player,video){aspect-ratio:var(--box)}
.video vid-player>*{width:100%;box-shadow:none}
.video .seen{background:repeating-conic-gradient(#8883 0 25%,#fff 0 50%) 0 0/24px 24px}
.video header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:start;gap:1rem 2rem;margin:1.75rem 0}
.video h1{margin:0;overflow-wrap:anywhere}
.video header>div{flex:1 1 18rem;min-width:0}
.facts{margin:.35rem 0 0;color:var(--soft);font-variant-numeric:tabular-nums}
.delivery{margin:0;color:var(--soft)}
.delivery a{display:inline-block;padding:.6rem 1.1rem;border-radius:.4rem;font-weight:600;text-decoration:none;color:light-dark(#fff,#111);background:light-dark(#1b1d20,#f0f1f2)}
.delivery a:hover{background:light-dark(#3a3e44,#fff)}
summary{cursor:pointer;font-weight:600}
`

/** A page with its response headers. */
export interface HtmlPage {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** What a page may do beyond showing text. */
export interface PagePowers {
  /** Allowed targets of its forms, including redirects. */
  readonly formAction?: string
  /** Allowed sources of pictures and videos. */
  readonly media?: readonly string[]
  /** Source of a module that runs in the page; it may import modules from this server and send requests to it. */
  readonly script?: string
  /** Origins that its frames may load. */
  readonly frames?: readonly string[]
  /** Whether its script fetches the videos, in a worker, and plays them itself. */
  readonly fetchesMedia?: boolean
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policyOf = (powers: PagePowers): string => {
  const { formAction = "'none'", media = [], script, frames = [], fetchesMedia = false } = powers
  const played = fetchesMedia ? [...media, 'blob:'] : media
  const fetched = fetchesMedia ? ["'self'", ...media] : ["'self'"]
  return [
    `default-src 'none'; style-src ${hashOf(STYLE)}; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
    ...(media.length > 0 ? [`img-src ${media.join(' ')}; media-src ${played.join(' ')}`] : []),
    ...(script === undefined ? [] : [`script-src 'self' ${hashOf(script)}; connect-src ${fetched.join(' ')}`]),
    ...(fetchesMedia ? ['worker-src blob:'] : []),
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
  ].join('; ')
}

/** Creates a page that cannot be framed, sends forms nowhere else, and runs no scripts but its own. */
export const createHtmlPage = (title: string, content: Html, powers: PagePowers = {}): HtmlPage => {
  const { script } = powers
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
${script === undefined ? html`` : { html: `<script type="module">${script}</script>` }}
</body>
</html>
`
  return {
    body: page.html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(powers),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      // Stricter policies make the browser omit the origin when the form is posted to this server.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  }
}
