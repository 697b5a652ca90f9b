import { expect, test } from 'vitest'
import { outputUnwritable } from './unwritable.ts'

test('an error names the result, not the scratch file beside it', () => {
  const cause = new Error("EACCES: permission denied, open '/films/.vid-41-0632b7d8.new'")
  expect(outputUnwritable('/films/a.mp4', cause).message).toMatch(
    /: EACCES: permission denied, open '\/films\/a\.mp4'\.$/,
  )
  expect(outputUnwritable('/films/a.mp4', new Error('no space')).message).toMatch(/: no space\.$/)
})
