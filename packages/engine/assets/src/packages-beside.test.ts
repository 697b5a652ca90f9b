import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from './fixtures/fresh-folder.ts'
import { fontPackagesBeside, POPULAR_FONTS } from './fonts/font-package.ts'
import { packageFolder, packagesBeside } from './index.ts'

test('GSAP and the fonts that are installed beside vid are found', async () => {
  const packages = await packagesBeside()
  expect(packages.get('gsap')).toBe(await realpath(packageFolder('gsap') ?? ''))
  expect([...packages.keys()]).toContain('@fontsource/lato')
  expect([...packages.keys()]).toContain(POPULAR_FONTS)
})

test('of two font packages the nearest counts, and links are followed to the carrier of popular fonts', async () => {
  const fresh = await freshFolder()
  onTestFinished(() => fresh[Symbol.asyncDispose]())
  const folder = await realpath(fresh.path)
  for (const name of [
    'top/node_modules/@fontsource/one',
    'top/node_modules/@fontsource/two',
    'top/app/node_modules/@fontsource/two',
    'store/node_modules/@vid/fonts-popular',
    'store/node_modules/@fontsource-variable/three',
  ]) {
    const manifest = join(folder, name, 'package.json')
    await mkdir(dirname(manifest), { recursive: true })
    await writeFile(manifest, '{"version":"1.0.0"}')
  }
  const vid = join(folder, 'top/app/node_modules/@vid')
  await mkdir(vid)
  await symlink('../../../../store/node_modules/@vid/fonts-popular', join(vid, 'fonts-popular'))
  expect(Object.fromEntries(await fontPackagesBeside(join(vid, 'assets/dist')))).toEqual({
    '@vid/fonts-popular': join(folder, 'store/node_modules/@vid/fonts-popular'),
    '@fontsource-variable/three': join(folder, 'store/node_modules/@fontsource-variable/three'),
    '@fontsource/two': join(folder, 'top/app/node_modules/@fontsource/two'),
    '@fontsource/one': join(folder, 'top/node_modules/@fontsource/one'),
  })
})
