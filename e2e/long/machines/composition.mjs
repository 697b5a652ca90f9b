// The compositions that are rendered on every machine.
import { copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../../../scripts/workspaces.mjs'

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><style>
@font-face { font-family: Own; src: url(own.ttf) }
#film { position: relative; width: 640px; height: 360px; overflow: hidden; background: #123; color: #fed; font: 64px Own }
video { position: absolute; width: 320px; height: 180px; right: 0; bottom: 0 }
p { position: absolute; left: 20px; top: 20px; margin: 0; animation: move 1s linear both }
@keyframes move { from { transform: translateX(200px) } }
</style></head><body>
<div id="film" data-composition-id="film" data-width="640" data-height="360" data-duration="1">
<video src="lights.mp4" data-start="0" data-duration="1" data-track-index="1" muted></video>
<audio src="music.m4a" data-start="0" data-duration="1" data-track-index="2"></audio>
<p>İstanbul 1,5</p><p id="now" style="top: 120px"></p>
<script>document.getElementById('now').textContent = (1234.5).toLocaleString() + ' ' + new Date(0).toLocaleString()</script>
</div></body></html>
`

/** Makes a composition with a video, a sound, a font of its own, and a number and a time as the page's language writes them. */
export const makeProject = (folder) => {
  mkdirSync(folder, { recursive: true })
  const media = path('examples/product-teaser/assets')
  for (const name of ['lights.mp4', 'music.m4a']) copyFileSync(join(media, name), join(folder, name))
  const fonts = path('node_modules/@expo-google-fonts/source-serif-4/400Regular')
  const font = readdirSync(fonts).find((name) => name.endsWith('.ttf'))
  copyFileSync(join(fonts, font), join(folder, 'own.ttf'))
  writeFileSync(join(folder, 'index.html'), PAGE)
  return { name: 'film', folder }
}

/** Copies the composition that every newcomer renders first. */
export const makeHello = (folder) => {
  cpSync(path('examples/hello'), folder, { recursive: true })
  return { name: 'hello', folder }
}
