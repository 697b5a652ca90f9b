import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EncodedFile } from '@vid/kernel'
import { describe, expect, test } from 'vitest'
import { openProject, textOf, usualPictures } from './store-rig.ts'
import { type MakePlugin, maker, type SuiteOptions, testOptions } from './suite.ts'

/** How the suite spoils what a store keeps. */
export interface StoreSuiteOptions extends SuiteOptions {
  /** Changes some bytes of everything that is kept for a project, as a failing disk would; `damageFiles` does so for a folder. */
  damage(projectDir: string): Promise<void>
}

const use = (settings: Record<string, unknown>, build = '1') => ({
  encoder: { name: 'list', options: {}, settings, build },
})

const writeMany = async (path: string, text: string): Promise<EncodedFile> => {
  await mkdir(`${path}-stills`)
  for (const [at, line] of text.split('\n').entries())
    await writeFile(join(`${path}-stills`, `${at}.png`), line)
  await writeFile(`${path}-1.gif`, text.toUpperCase())
  return { file: `${path}-stills`, more: [{ file: `${path}-1.gif` }] }
}
const textOfMany = `${textOf(usualPictures).replaceAll('\n', '')} and ${textOf(usualPictures)}`

/** Tests a store against its contract: what it hands out is always what would have been made now. */
export const storeSuite = (makePlugin: MakePlugin<'store'>, suite: StoreSuiteOptions) => {
  const make = maker(makePlugin, suite)
  const open = () => openProject(make())
  const { name, clean } = make()

  describe(`store ${name}`, () => {
    testOptions(make)

    test('hands over what it has had made, where an encoder would put it', async () => {
      const { segment } = await open()
      const made = await segment()
      expect(made).toEqual({ text: textOf(usualPictures), encodes: 1, isInPlace: true, reused: undefined })
    })

    test('gives the encoder every frame once, in order, with its own bytes', async () => {
      const { segment } = await open()
      const pictures = usualPictures.map((picture, at) => (at === 13 ? { ...picture, shade: 7 } : picture))
      await segment({ index: 1 })
      // The later one differs in its middle from what is kept.
      const capture = { name: 'camera', options: {}, settings: {}, build: '2' }
      const { text } = await segment({ index: 1, pictures, plan: { capture } })
      expect(text).toBe(textOf(pictures, 1))
    })

    test('gives a segment of the same inputs again without an encoder, and says why', async () => {
      const { segment } = await open()
      const files = { 'mark.svg': 'red' }
      await segment({ files })
      const again = await segment({ files })
      expect(again).toMatchObject({ text: textOf(usualPictures), encodes: 0, isInPlace: true })
      expect(again.reused).toMatch(/\w/)
    })

    test('gives folders and further outputs as they were', async () => {
      const { segment } = await open()
      for (let time = 0; time < 2; time += 1)
        expect((await segment({ write: writeMany })).text).toBe(textOfMany)
    })

    test('takes no segment for one of another place, encoder, build or format', async () => {
      const { segment } = await open()
      const upper = async (path: string, text: string) => {
        await writeFile(`${path}.txt`, `other ${text}`)
        return { file: `${path}.txt` }
      }
      await segment()
      expect((await segment({ index: 2 })).text).toBe(textOf(usualPictures, 2))
      for (const plan of [use({ crf: 9 }), use({}, '2'), { format: 'gif' }, { fps: 12 }])
        expect((await segment({ plan, write: upper })).text).toBe(`other ${textOf(usualPictures)}`)
    })

    test('takes no segment for one of other variables that look different', async () => {
      const { segment } = await open()
      await segment({ plan: { variables: { name: 'Ada' } } })
      const pictures = usualPictures.map((picture) => ({ ...picture, shade: picture.shade + 1 }))
      const { text } = await segment({ pictures, plan: { variables: { name: 'Bob' } } })
      expect(text).toBe(textOf(pictures))
    })

    test('looks again at the files that a page was drawn from', async () => {
      const { segment } = await open()
      await segment({ files: { 'mark.svg': 'red' } })
      const pictures = usualPictures.map((picture) => ({ ...picture, shade: picture.shade + 1 }))
      const { text } = await segment({ pictures, files: { 'mark.svg': 'blue' } })
      expect(text).toBe(textOf(pictures))
    })

    test('fails as its frames fail, and keeps nothing of them', async () => {
      const { segment } = await open()
      const failure = new Error('the page crashed')
      const onFrame = (frame: number) => {
        if (frame === 5) throw failure
      }
      const outcome = await segment({ onFrame }).then(
        ({ text }) => text,
        (thrown: unknown) => thrown,
      )
      expect(outcome).toBe(failure)
      expect(await segment()).toMatchObject({ text: textOf(usualPictures) })
    })

    test('hands out nothing that was damaged', async () => {
      const { segment, projectDir } = await open()
      await segment()
      await segment({ index: 1 })
      await suite.damage(projectDir)
      for (const index of [0, 1]) expect((await segment({ index })).text).toBe(textOf(usualPictures, index))
    })

    test('serves several renders at once', async () => {
      const { segment } = await open()
      const wanted = [0, 1, 2, 0, 1, 2]
      for (let round = 0; round < 2; round += 1) {
        const made = await Promise.all(wanted.map((index) => segment({ index })))
        expect(made.map(({ text }) => text)).toEqual(wanted.map((index) => textOf(usualPictures, index)))
      }
    })

    test('makes nothing once it is told to stop', async () => {
      const { segment } = await open()
      const reason = new Error('enough')
      const outcome = await segment({ signal: AbortSignal.abort(reason) }).then(
        () => 'it made a segment',
        ({ message }: Error) => message,
      )
      expect(outcome).not.toMatch(/it made a segment|it did not stop/)
    })

    if (clean)
      test('forgets all that it keeps for a project, and says how many bytes that was', async () => {
        const project = await open()
        await project.segment()
        expect(await project.clean()).toBeGreaterThan(0)
        expect(await project.segment()).toMatchObject({ encodes: 1, reused: undefined })
        await project.clean()
        expect(await project.clean()).toBe(0)
      })
  })
}
