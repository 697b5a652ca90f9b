import { expect, test } from 'vitest'
import { composition, useBrowser } from '../../testing/page.ts'

const { start } = useBrowser()

test('a frame of the page may come to show a document of another origin', async () => {
  const html = composition(`<iframe id="frame"></iframe><b id="mark" style="animation: move 1s linear"></b>
    <style>@keyframes move { to { translate: 100px } }</style>
    <script>
      const loaded = new Promise((resolve) => { frame.onload = resolve })
      // A document of the page's origin first, which follows the page's clock.
      window.follows = frame.contentWindow.__vid === __vid
      frame.src = 'data:text/html,<p>other'
      __vid.waitUntil(loaded)
    </script>`)
  const { seek, read } = await start(html, { fps: 10 })
  await seek(5)
  const isOther = '(() => { try { return frame.contentWindow.document === null } catch { return true } })()'
  expect(await read(`[follows, ${isOther}, getComputedStyle(mark).translate]`)).toEqual([true, true, '50px'])
})
