import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isVidError } from '@vid/protocol'
import { expect, test } from 'vitest'
import { allIn, newFolder, writeFiles } from '../fixtures/folders.ts'
import { hostileZip } from '../fixtures/hostile-zip.ts'
import { type ProjectManifest, unpackProject } from '../index.ts'

// `npm run lab -- hostile-zips` makes 10,000; VID_HOSTILE_FIRST=123 VID_HOSTILE_ZIPS=1 makes number 123 again.
const count = Number(process.env.VID_HOSTILE_ZIPS ?? 300)
const first = Number(process.env.VID_HOSTILE_FIRST ?? 0)

const limits = { entries: 300, fileBytes: 2_500_000, bytes: 6_000_000, depth: 10 }

/** What is wrong with an unpacked folder: it must hold the files of the manifest, and nothing else. */
const differences = (folder: string, { files }: ProjectManifest): string[] => {
  const paths = allIn(folder).filter((name) => !lstatSync(join(folder, name)).isDirectory())
  const wrong = files.filter(({ path, length, digest }) => {
    const file = join(folder, path)
    const bytes = lstatSync(file).isFile() ? readFileSync(file) : Buffer.alloc(0)
    return bytes.length !== length || createHash('sha256').update(bytes).digest('hex') !== digest
  })
  const expected = files.map(({ path }) => path).sort()
  return paths.join('\n') === expected.join('\n') ? wrong.map(({ path }) => path) : ['other files']
}

test(`each of ${count} hostile zips ends with a code or a whole folder, writes nothing elsewhere, and takes little memory`, async () => {
  const root = writeFiles(newFolder(), { 'canary/a': 'untouched' })
  const parent = join(root, 'parent')
  mkdirSync(parent)
  const ends = new Map<string, number>()
  const problems: string[] = []
  const filesOpen = readdirSync('/proc/self/fd').length
  const memory = () => process.resourceUsage().maxRSS / 1024
  // What the first ones load is no growth.
  let memoryBefore = 0
  for (let number = first; number < first + count; number += 1) {
    const zip = join(root, 'x.zip')
    writeFileSync(zip, hostileZip(number, join(root, 'canary')))
    const end = await unpackProject(zip, join(parent, 'place'), { limits }).then(
      (manifest) => {
        problems.push(...differences(join(parent, 'place'), manifest).map((path) => `${number}: ${path} is wrong`))
        rmSync(join(parent, 'place'), { recursive: true })
        return 'a folder'
      },
      (thrown: unknown) => (isVidError(thrown) && thrown.fault === 'caller' ? thrown.code : `${number}: ${thrown}`),
    )
    ends.set(end, (ends.get(end) ?? 0) + 1)
    if (!/^(?:a folder|VID_ZIP_[A-Z_]+)$/.test(end)) problems.push(end)
    if (allIn(root).join() !== 'canary,canary/a,parent,x.zip') problems.push(`${number}: left ${allIn(root)}`)
    if (number === first + 20) memoryBefore = memory()
  }
  if (count > 300)
    console.log(
      [...ends]
        .sort()
        .map(([end, times]) => `${times} ${end}`)
        .join('\n'),
    )
  expect(problems).toEqual([])
  expect(readFileSync(join(root, 'canary/a'), 'utf8')).toBe('untouched')
  expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(filesOpen)
  if (memoryBefore > 0) expect(memory() - memoryBefore).toBeLessThan(200)
  if (count >= 300) expect(ends.size).toBeGreaterThan(10)
}, 3_600_000)
