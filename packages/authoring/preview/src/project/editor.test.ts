import { expect, test } from 'vitest'
import { findTextEditor, openInEditor, placeArguments } from './editor.ts'

const PATH = '/nowhere'

test('the editor is the first of VISUAL and EDITOR that opens a window', async () => {
  expect(await findTextEditor({ PATH })).toBeUndefined()
  expect(await findTextEditor({ PATH, EDITOR: 'vim' })).toBeUndefined()
  expect(await findTextEditor({ PATH, VISUAL: 'nano', EDITOR: 'subl -n' })).toEqual({
    name: 'subl',
    program: 'subl',
    args: ['-n'],
  })
  expect(await findTextEditor({ PATH, VISUAL: '/usr/bin/code --wait', EDITOR: 'subl' })).toEqual({
    name: 'code',
    program: '/usr/bin/code',
    args: ['--wait'],
  })
})

test('each editor gets the line in its own way', () => {
  expect(placeArguments('code', '/a b.html', 3)).toEqual(['-g', '/a b.html:3'])
  expect(placeArguments('subl', '/a.html', 3)).toEqual(['/a.html:3'])
  expect(placeArguments('emacs', '/a.html', 3)).toEqual(['+3', '/a.html'])
  expect(placeArguments('other', '/a.html', 3)).toEqual(['/a.html'])
})

test('an editor that is not set or does not start is told of', async () => {
  await expect(openInEditor('/a.html', 1, { PATH })).rejects.toMatchObject({ code: 'VID_PREVIEW_NO_EDITOR' })
  const env = { PATH, VISUAL: '/nowhere/editor' }
  await expect(openInEditor('/a.html', 1, env)).rejects.toMatchObject({ code: 'VID_PREVIEW_EDITOR' })
})
