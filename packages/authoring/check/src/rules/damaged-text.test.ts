import { expect, test } from 'vitest'
import { damagedPart } from './damaged-text.ts'

/** A text in UTF-8 that a program has read as Windows-1252. */
const misread = (text: string) => new TextDecoder('windows-1252').decode(new TextEncoder().encode(text))

test.each(['Café', 'Müller', 'it’s', '“Quote”', '5 € a day', 'naïve', 'Привет', '日本', 'नमस्ते', '😀', 'À la carte'])(
  'the bytes of %s that were read as Windows-1252 are damaged',
  (text) => {
    const [first = ''] = text.match(/\P{ASCII}/u) ?? []
    expect(damagedPart(misread(text))).toEqual({ shown: misread(first), meant: first })
  },
)

test.each([
  'Café',
  'AMANHÃ…',
  '“IRMÔ',
  'NÃO, SÃO JOÃO',
  'Âge, château, hôtel',
  'Œuvre — « élan »',
  'Å, Ä, Ö',
  'ÃÃÃ',
  'Привет, 日本 😀',
  '© 2026 · 20 °C ± 1',
  '',
])('%s is not damaged', (text) => {
  expect(damagedPart(text)).toBeUndefined()
})
