import { expect, test } from 'vitest'
import { mendCommand } from './mend-command.ts'

const place = { dir: '.' }

test('each operation of the rules is a command, with the place that was checked', () => {
  const target = '#title'
  const lines = [
    { op: 'style', target, property: 'color', value: '#7f868e' },
    { op: 'style', target, property: 'translate', value: '-4px 0px' },
    { op: 'order', target, to: 'front' },
    { op: 'trim', target, edge: 'end', by: -0.5 },
    { op: 'trim', target: { file: 'scenes/one.html', line: 12, digest: 'abc' }, edge: 'end', by: 1.25 },
    { op: 'volume', target, volume: 0.35 },
    { op: 'fade', target, out: 0.3 },
  ].map((mend) => mendCommand([mend], { dir: 'my films/intro', composition: 'short.html' }))
  const rest = "--dir 'my films/intro' --composition short.html"
  expect(lines).toEqual([
    `vid edit style '#title' color '#7f868e' ${rest}`,
    `vid edit style '#title' translate '-4px 0px' ${rest}`,
    `vid edit order '#title' front ${rest}`,
    `vid edit trim '#title' end -0.5s ${rest}`,
    `vid edit trim scenes/one.html:12 end +1.25s ${rest}`,
    `vid edit volume '#title' 0.35 ${rest}`,
    `vid edit fade '#title' --out 0.3s ${rest}`,
  ])
})

test('several operations are several commands', () => {
  const mend = ['#one', '#two'].map((target) => ({ op: 'volume', target, volume: 0.5 }))
  expect(mendCommand(mend, place)).toBe("vid edit volume '#one' 0.5 && vid edit volume '#two' 0.5")
})

test('operations of another rule are applied as they are', () => {
  const mend = [{ op: 'text', target: '#title', text: "It's" }]
  expect(mendCommand(mend, place)).toBe(
    `vid edit apply --operations '[{"op":"text","target":"#title","text":"It'\\''s"}]'`,
  )
})
