import { fileURLToPath } from 'node:url'
import { defineConfig } from '@vid/config'
import file from '@vid/deliver-file'
import dataSource from './data-source.ts'
import ledger from './deliver-ledger.ts'
import webp from './encoder-webp.ts'
import watermark from './watermark.ts'

export default defineConfig({
  encoders: [webp()],
  deliveries: [file(), ledger({ ledger: fileURLToPath(new URL('ledger.jsonl', import.meta.url)) })],
  plugins: [dataSource({ file: 'facts.json' }), watermark({ colour: '#facc15' })],
  render: { format: 'webp' },
})
