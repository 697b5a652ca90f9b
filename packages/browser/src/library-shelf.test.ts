import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { resolveLibrary } from './index.ts'

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
])('%s is served from the installed package', async (url, file) => {
  const found = resolveLibrary(url)
  expect(found?.path.replaceAll('\\', '/')).toMatch(
    new RegExp(`/node_modules/${file.replaceAll('.', '\\.')}$`),
  )
  expect(found?.contentType).toBe('text/javascript; charset=utf-8')
  expect((await readFile(found?.path ?? '')).length).toBeGreaterThan(0)
})

test.each([
  'https://cdn.jsdelivr.net/npm/gsap@2.1.3/dist/gsap.min.js',
  'https://cdn.jsdelivr.net/npm/gsap@30/dist/gsap.min.js',
  'https://cdn.jsdelivr.net/npm/gsap@3/dist/nothing.js',
  'https://cdn.jsdelivr.net/npm/gsap@3/dist',
  'https://cdn.jsdelivr.net/npm/gsap@3/..%2f..%2fpackage.json',
  'https://cdn.jsdelivr.net/npm/left-pad@1/index.js',
  'https://cdn.jsdelivr.net/npm/constructor@1/index.js',
  'https://cdn.jsdelivr.net.evil.example/npm/gsap@3/dist/gsap.min.js',
  'https://unpkg.com:8443/gsap@3/dist/gsap.min.js',
  'file:///npm/gsap@3/dist/gsap.min.js',
  'https://example.com/gsap.min.js',
  'not a url',
])('%s is not on the shelf', (url) => {
  expect(resolveLibrary(url)).toBeUndefined()
})
