import { expect, test } from 'vitest'
import { lint, root } from '../fixtures/project.ts'

const findings = (tag: string, name: string, text: string) =>
  lint({ 'index.html': root(`<${tag} src="${name}"></${tag}>`), [name]: text })

test.each([
  ['video', 'clip.mp4', '<html><body>404</body></html>', 'a web page'],
  ['audio', 'music.mp3', '{ "error": "é" }', 'text'],
  ['img', 'photo.jpg', `Too many requests ${'é'.repeat(2000)}`, 'text'],
  ['video', 'clip.webm', 'version https://git-lfs.github.com/spec/v1\noid sha256:0', 'a pointer of Git LFS'],
])('<%s src="%s"> that is text is reported', async (tag, name, text, content) => {
  expect(await findings(tag, name, text)).toMatchObject([
    { code: 'lint/text-as-media', line: 2, message: `"${name}" is ${content}, not media.` },
  ])
})

test.each([
  ['video', 'clip.mp4', '\0\0\0\x20ftypisom'],
  ['audio', 'music.mp3', 'ID3\x04\0'],
  ['img', 'photo.gif', 'GIF89a\x01\0'],
  ['img', 'drawing.svg', '<!-- drawn --><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['video', 'empty.mp4', ''],
])('<%s src="%s"> is not reported', async (tag, name, text) => {
  expect(await findings(tag, name, text)).toEqual([])
})
