/** Size of the page that tests a GPU, in pixels. */
export const KNOWN_WIDTH = 640
export const KNOWN_HEIGHT = 360

/** Frames of it that are compared. */
export const KNOWN_FRAMES = 2

/** A bitmap of four colours, which is drawn enlarged. */
const BITMAP =
  'data:image/bmp;base64,Qk1GAAAAAAAAADYAAAAoAAAAAgAAAAIAAAABABgAAAAAABAAAAATCwAAEwsAAAAAAAAAAAAAAAD///8AAAAAyFAoKNwAAA=='

/**
 * A page with all kinds of content: text, gradients, shadows, clipping, curves, images, blending, filters and
 * transparency; its second frame is moved by fractions of a pixel.
 */
export const knownPage = `<!doctype html><meta charset="utf-8">
<style>
  #root { position: relative; width: ${KNOWN_WIDTH}px; height: ${KNOWN_HEIGHT}px; overflow: hidden; font-family: sans-serif }
  #root > * { position: absolute }
  #sky { inset: 0 0 50% 0; background: linear-gradient(120deg, #123 10%, #6af 60%, #fec) }
  #sun { left: 40px; top: 30px; width: 120px; height: 120px; border-radius: 50%; background: radial-gradient(#fff, #fc0 60%, #f603) }
  #card { left: 200px; top: 60px; width: 220px; height: 130px; border-radius: 18px; background: #fffe; box-shadow: 0 12px 24px #0008; transform: rotate(-4deg) }
  #text { left: 216px; top: 84px; width: 190px; font-size: 21px; line-height: 27px; color: #222; transform: rotate(-4deg) }
  #big { left: 24px; top: 190px; font-size: 68px; font-weight: 700; color: #0a8; text-shadow: 2px 3px 4px #0006 }
  #soft { left: 440px; top: 40px; width: 150px; height: 90px; background: #f06; filter: blur(6px); opacity: .8 }
  #blend { left: 400px; top: 90px; width: 170px; height: 120px; background: #0cf; mix-blend-mode: multiply; clip-path: polygon(0 20%, 100% 0, 80% 100%, 10% 90%) }
  #image { left: 460px; top: 220px; width: 140px; height: 110px; transform: skewX(-8deg) }
  svg { left: 300px; top: 210px }
</style>
<div id="root" data-composition-id="known" data-width="${KNOWN_WIDTH}" data-height="${KNOWN_HEIGHT}" data-duration="1" data-no-timeline>
  <div id="sky"></div><div id="sun"></div><div id="soft"></div><div id="card"></div>
  <div id="text">The quick brown fox jumps over the lazy dog, 0123456789.</div>
  <div id="big">Aa Gg &amp; 8</div>
  <div id="blend"></div>
  <img id="image" src="${BITMAP}">
  <svg width="150" height="130"><path d="M5 120 C 40 -60, 90 200, 145 10" fill="#93f6" stroke="#306" stroke-width="3.5"/></svg>
</div>
<script>
  addEventListener('vid-seek', ({ detail }) => {
    const shift = detail.time * 30 * 7.3
    for (const id of ['sun', 'card', 'image']) document.getElementById(id).style.marginLeft = shift + 'px'
  })
</script>`
