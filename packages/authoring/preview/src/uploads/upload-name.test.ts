import { nameProblem } from '@vid/project'
import { expect, test } from 'vitest'
import { uploadName } from './upload-name.ts'

test.each([
  ['take 2.mp4', 'take 2.mp4'],
  ['日本 🎬.MOV', '日本 🎬.mov'],
  ['../../etc/passwd.png', 'passwd.png'],
  ['C:\\films\\take.mp4', 'take.mp4'],
  ['.hidden.png', 'hidden.png'],
  ['..', 'file'],
  ['', 'file'],
  ['nul.mp4', 'file-nul.mp4'],
  ['COM1.tar.gz', 'file-COM1.tar.gz'],
  ['a\u0000b\nc<d>.wav', 'a-b-c-d-.wav'],
  ['a%2fb#c?.wav', 'a-2fb-c-.wav'],
  ['name. .mp4', 'name.mp4'],
  ['x.mp4. ', 'x.mp4'],
  ['\ud800.mp4', '\ufffd.mp4'],
])('%j becomes %j', (name, expected) => {
  expect(uploadName(name)).toBe(expected)
})

test('a long name is cut to whole characters, and every name is one that all systems allow', () => {
  const name = uploadName(`${'日'.repeat(200)}.mp4`)
  expect(name).toBe(`${'日'.repeat(40)}.mp4`)
  for (const code of Array.from({ length: 0x180 }, (_, index) => index))
    expect(nameProblem(uploadName(`${String.fromCodePoint(code)}x${String.fromCodePoint(code)}.png`))).toBeNull()
})
