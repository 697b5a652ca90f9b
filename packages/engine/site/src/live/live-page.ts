/** The page that plays a video while it is rendered. */
export const LIVE_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>vid render</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark }
body { display: grid; place-content: center; justify-items: center; gap: 1rem; min-height: 100vh; margin: 0; background: light-dark(#f4f5f7, #131417); color: light-dark(#1c2024, #e6e8eb); font: 16px/1.5 system-ui, sans-serif }
video { max-width: 96vw; max-height: 88vh; background: #000 }
p { margin: 0; min-height: 1.5em }
</style>
<video controls autoplay muted playsinline></video>
<p role="status">The first segment is being rendered.</p>
<script src="player.js"></script></html>`

/** What the page may load. */
export const LIVE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  'worker-src blob:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
