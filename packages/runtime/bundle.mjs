import { build } from 'esbuild'

await build({
  entryPoints: [new URL('src/page/main.ts', import.meta.url).pathname],
  outfile: new URL('dist/page.js', import.meta.url).pathname,
  bundle: true,
  format: 'iife',
  target: 'chrome120',
  minify: true,
  legalComments: 'none',
})
