import { expect, it } from 'vitest'
import { authoredPlace } from '../index.ts'
import { placeScript, scopeClassicScript } from './scope-script.ts'

it('finds the original location of a line of compiled text', () => {
  const script = placeScript('one()\ntwo()', { file: 'index.html', line: 4 })
  const nested = scopeClassicScript('three()\nfour()', { file: 'my scenes/a.html', line: 2 }, 'i1')
  const html = `<p>\n<script src="lib.js"></script>\n<script>${script}</script><b></b>\n<script>${nested}</script>`
  const places = html.split('\n').map((text, index) => [text, authoredPlace(html, index + 1)] as const)
  const of = (call: string) => places.find(([text]) => text.includes(call))?.[1]
  expect(of('two()')).toEqual({ file: 'index.html', line: 5 })
  expect(of('three()')).toEqual({ file: 'my scenes/a.html', line: 2 })
  expect(of('four()')).toEqual({ file: 'my scenes/a.html', line: 3 })
  expect(of('<p>')).toBeUndefined()
  expect(of('lib.js')).toBeUndefined()
})
