import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { packageFolder, resolveLibrary } from '../index.ts'

const fileFor = (url: string) => {
  const library = resolveLibrary(url)
  return library && 'path' in library ? library : undefined
}

test.each([
  ['https://cdn.jsdelivr.net/npm/gsap@3.12.5/dist/gsap.min.js', 'gsap/dist/gsap.min.js'],
  ['https://cdn.jsdelivr.net/npm/gsap@3/dist/ScrollTrigger.min.js', 'gsap/dist/ScrollTrigger.min.js'],
  ['https://cdn.jsdelivr.net/npm/gsap@latest/dist/SplitText.min.js', 'gsap/dist/SplitText.min.js'],
  ['https://cdn.jsdelivr.net/npm/gsap/dist/gsap.js', 'gsap/dist/gsap.js'],
  ['https://cdn.jsdelivr.net/npm/gsap@^3.12/dist/gsap.min.js?x=1', 'gsap/dist/gsap.min.js'],
  ['https://unpkg.com/gsap', 'gsap/dist/gsap.min.js'],
  ['https://unpkg.com/gsap@3/index.js', 'gsap/index.js'],
  ['http://unpkg.com/gsap@3.11.0/dist/MorphSVGPlugin.min.js', 'gsap/dist/MorphSVGPlugin.min.js'],
  ['https://cdnjs.cloudflare.com/ajax/libs/gsap/3.12.2/gsap.min.js', 'gsap/dist/gsap.min.js'],
  ['https://cdnjs.cloudflare.com/ajax/libs/gsap/3.9.1/TextPlugin.min.js', 'gsap/dist/TextPlugin.min.js'],
  ['https://cdn.jsdelivr.net/npm/animejs@4', 'animejs/dist/bundles/anime.umd.min.js'],
  ['https://cdn.jsdelivr.net/npm/animejs@4.0.2/lib/anime.iife.min.js', 'animejs/dist/bundles/anime.umd.min.js'],
  ['https://cdn.jsdelivr.net/npm/animejs@4.1.0/lib/anime.esm.js', 'animejs/dist/bundles/anime.esm.js'],
  ['https://unpkg.com/animejs/dist/bundles/anime.esm.min.js', 'animejs/dist/bundles/anime.esm.min.js'],
  ['https://cdnjs.cloudflare.com/ajax/libs/animejs/4.2.2/anime.umd.min.js', 'animejs/dist/bundles/anime.umd.min.js'],
  ['https://cdn.jsdelivr.net/npm/three@0.160.0/build/three.module.js', 'three/build/three.module.js'],
  ['https://cdn.jsdelivr.net/npm/three@0.170.0/build/three.module.min.js', 'three/build/three.module.js'],
  ['https://unpkg.com/three@latest/build/three.core.js', 'three/build/three.core.js'],
  [
    'https://cdn.jsdelivr.net/npm/three@0.165/examples/jsm/controls/OrbitControls.js',
    'three/examples/jsm/controls/OrbitControls.js',
  ],
  ['https://ga.jspm.io/npm:three@0.160.0/build/three.module.js', 'three/build/three.module.js'],
  ['https://cdn.jsdelivr.net/npm/three@0.128.0/build/three.min.js', 'assets/dist/bundled/three.js'],
  ['https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js', 'assets/dist/bundled/three.js'],
  ['https://cdnjs.cloudflare.com/ajax/libs/bodymovin/5.12.2/lottie.min.js', 'lottie-web/build/player/lottie.min.js'],
  [
    'https://cdn.jsdelivr.net/npm/lottie-web@5.12.2/build/player/lottie_svg.min.js',
    'lottie-web/build/player/lottie_svg.min.js',
  ],
  ['https://unpkg.com/lottie-web@5/build/player/lottie_canvas.js', 'lottie-web/build/player/lottie_canvas.min.js'],
  ['https://cdn.jsdelivr.net/npm/@vid/captions', 'assets/dist/bundled/@vid/captions/dist/element.js'],
  ['https://unpkg.com/d3@7/dist/d3.js', 'd3/dist/d3.min.js'],
  ['https://unpkg.com/lottie-web@latest', 'lottie-web/build/player/lottie.min.js'],
  ['https://cdn.jsdelivr.net/npm/@lottiefiles/dotlottie-web', '@lottiefiles/dotlottie-web/dist/index.js'],
  ['https://d3js.org/d3.v7.min.js', 'd3/dist/d3.min.js'],
  ['https://cdn.jsdelivr.net/npm/d3@7', 'd3/dist/d3.min.js'],
  ['https://cdn.jsdelivr.net/npm/d3@7/+esm', 'assets/dist/bundled/d3.js'],
  ['https://esm.sh/d3@7?bundle', 'assets/dist/bundled/d3.js'],
  ['https://cdnjs.cloudflare.com/ajax/libs/d3/7.9.0/d3.min.js', 'd3/dist/d3.min.js'],
])('%s is served from the installed package', async (url, file) => {
  const library = fileFor(url)
  expect(library?.path.replaceAll('\\', '/')).toMatch(new RegExp(`/${file.replaceAll('.', '\\.')}$`))
  expect(library?.contentType).toBe('text/javascript; charset=utf-8')
  expect((await readFile(library?.path ?? '')).length).toBeGreaterThan(0)
})

test.each([
  ['https://cdn.jsdelivr.net/npm/gsap@3.5.0/dist/gsap.min.js', 'gsap', '3.5.0'],
  ['https://cdn.jsdelivr.net/npm/gsap@~3.2/dist/gsap.min.js', 'gsap', '~3.2'],
  ['https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js', 'three', '0.128'],
])('%s tells that another version is served', (url, name, range) => {
  expect(fileFor(url)?.other).toEqual({ name, asked: range, served: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
})

test.each(['gsap', 'gsap@3', 'gsap@^3.1.0', 'gsap@latest', 'gsap@%3E=3', 'd3@7', 'animejs@4'])(
  '%s is served in the requested version',
  (name) => {
    expect(fileFor(`https://unpkg.com/${name}`)).toBeDefined()
    expect(fileFor(`https://unpkg.com/${name}`)?.other).toBeUndefined()
  },
)

test('the player of dotLottie is served with the type that streaming compilation needs', () => {
  const url = 'https://cdn.jsdelivr.net/npm/@lottiefiles/dotlottie-web@0.80.0/dist/dotlottie-player.wasm'
  expect(fileFor(url)).toMatchObject({ contentType: 'application/wasm' })
  expect(fileFor(url.replace('cdn.jsdelivr.net/npm', 'unpkg.com'))).toEqual(fileFor(url))
})

test.each([
  ['https://cdn.jsdelivr.net/npm/three@0.160.0/+esm', 'three@0.160.0/build/three.module.js'],
  ['https://esm.sh/three', 'three/build/three.module.js'],
  ['https://cdn.jsdelivr.net/npm/gsap@3.12/+esm', 'gsap@3.12/index.js'],
  ['https://cdn.skypack.dev/animejs@4', 'animejs@4/dist/bundles/anime.esm.min.js'],
  ['https://cdn.jsdelivr.net/npm/lottie-web/+esm', 'lottie-web/build/player/esm/lottie.min.js'],
])('%s leads to the module file, whose relative imports are bundled too', (url, file) => {
  const redirect = `https://cdn.jsdelivr.net/npm/${file}`
  expect(resolveLibrary(url)).toEqual({ redirect })
  expect(fileFor(redirect)).toBeDefined()
})

test.each([
  'https://cdn.jsdelivr.net/npm/gsap@2.1.3/dist/gsap.min.js',
  'https://cdn.jsdelivr.net/npm/gsap@30/dist/gsap.min.js',
  'https://cdn.jsdelivr.net/npm/gsap@3/dist/nothing.js',
  'https://cdn.jsdelivr.net/npm/gsap@3/dist',
  'https://cdn.jsdelivr.net/npm/gsap@3/..%2f..%2fpackage.json',
  'https://cdn.jsdelivr.net/npm/animejs@3.2.1/lib/anime.min.js',
  'https://d3js.org/d3.v5.min.js',
  'https://cdn.jsdelivr.net/npm/d3@%E0%A4%A/dist/d3.min.js',
  'https://cdn.jsdelivr.net/npm/@lottiefiles/dotlottie-web@1/dist/index.js',
  'https://cdn.jsdelivr.net/npm/left-pad@1/index.js',
  'https://cdn.jsdelivr.net/npm/constructor@1/index.js',
  'https://cdn.jsdelivr.net.evil.example/npm/gsap@3/dist/gsap.min.js',
  'https://unpkg.com:8443/gsap@3/dist/gsap.min.js',
  'file:///npm/gsap@3/dist/gsap.min.js',
  'https://example.com/gsap.min.js',
  'not a url',
])('%s is not answered from a bundled library', (url) => {
  expect(resolveLibrary(url)).toBeUndefined()
})

test.each(['@lottiefiles/dotlottie-web', 'animejs', 'd3', 'lottie-web', 'three'])(
  'the files of %s come with their licence',
  async (name) => {
    const folder = packageFolder(name)
    expect(folder?.replaceAll('\\', '/')).toContain('/dist/bundled/')
    const files = await readdir(folder ?? '')
    expect(files.some((file) => /^licen[cs]e/i.test(file))).toBe(true)
  },
)
