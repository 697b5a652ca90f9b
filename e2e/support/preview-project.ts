import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { scratch } from './vid.ts'

const VARIABLES = [
  { id: 'title', type: 'string', label: 'Title', default: 'Autumn', maxLength: 20, placeholder: 'A word' },
  { id: 'size', type: 'number', label: 'Size', default: 24, min: 8, max: 60, unit: 'px' },
  { id: 'back', type: 'color', label: 'Back', default: '#2040a0' },
  { id: 'shown', type: 'boolean', label: 'Title is shown', default: true },
]

const INDEX = `<!doctype html>
<html data-composition-variables='${JSON.stringify(VARIABLES)}'>
<style>
body { margin: 0 }
#root { position: relative; width: 320px; height: 180px; overflow: hidden; color: #fff; font-family: Inter }
h1 { position: absolute; left: 20px; top: 20px; margin: 0 }
#bar { position: absolute; left: 0; bottom: 0; width: 100%; height: 20px; background: #f80; transform-origin: 0; animation: grow 4s linear both }
@keyframes grow { from { transform: scaleX(0) } }
</style>
<div id="root" data-composition-id="promo" data-width="320" data-height="180" data-duration="4">
<h1 id="headline" data-start="0" data-duration="3" data-track-index="0"></h1>
<div id="card" data-composition-src="card.html" data-start="1" data-duration="2" data-track-index="1"></div>
<div id="bar"></div>
</div>
<script>
const { title, size, back, shown } = __vid.getVariables()
document.querySelector('h1').textContent = shown ? title : ''
document.querySelector('h1').style.fontSize = size + 'px'
document.querySelector('#root').style.background = back
</script>
</html>
`

const CARD = `<div data-composition-id="card" data-width="320" data-height="180">
<p id="offer" data-start="0.5" data-duration="1" style="position:absolute;left:20px;top:80px;margin:0">Free delivery</p>
</div>
`

const OTHER = `<!doctype html>
<body style="margin:0"><div data-composition-id="other" data-width="100" data-height="100" data-duration="1">
<p style="margin:0;width:40px;height:40px;background:#0a0"></p></div></body>
`

/** Makes a folder with a composition of 4 seconds that embeds another one and has variables; a second one beside it. */
export const makePreviewProject = async (): Promise<string> => {
  const folder = await scratch()
  const files = { 'index.html': INDEX, 'card.html': CARD, 'other.html': OTHER }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}
