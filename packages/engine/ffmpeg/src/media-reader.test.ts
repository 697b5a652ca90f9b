import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noSources } from '@vid/kernel'
import type { MediaUse } from '@vid/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { mediaReader } from './media-reader.ts'

/** Plans media as the kernel does; --strict makes an error of each source that cannot be used. */
const planStrictly = async (projectDir: string, sources: readonly string[]) => {
  const media = sources.map((src) => ({ kind: 'video', src, start: 0, end: 1 }) as MediaUse)
  const context = {
    request: { strict: true, projectDir },
    sources: noSources,
    signal: new AbortController().signal,
    probe: async () => ({ media }),
  }
  let planned: Promise<unknown> | undefined
  const plan = {
    tapPromise: (_: unknown, tap: (...args: unknown[]) => Promise<unknown>) => {
      // The tap that reads the media comes first.
      planned ??= tap({}, context)
    },
  }
  mediaReader().setup({ mix: { tapPromise: () => undefined }, plan } as never, {} as never)
  return planned
}

test('a source that is a link out of the project, or hidden, is called that and not missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-media-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const projectDir = join(folder, 'project')
  await mkdir(projectDir)
  for (const file of [join(folder, 'outside.mp4'), join(projectDir, '.hidden.mp4')]) await writeFile(file, '')
  await symlink(join(folder, 'outside.mp4'), join(projectDir, 'link.mp4'))
  await expect(
    planStrictly(projectDir, ['link.mp4', '../outside.mp4', '.hidden.mp4', 'gone.mp4', 'https://example.com/a.mp4']),
  ).rejects.toMatchObject({
    code: 'VID_MEDIA_STRICT',
    message: expect.stringMatching(
      /"link\.mp4": it is outside of the project.*"\.\.\/outside\.mp4": it is outside of the project.*"\.hidden\.mp4".*hidden.*"gone\.mp4".*no such file.*a\.mp4".*could not be fetched/s,
    ),
  })
})
