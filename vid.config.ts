// The example of a full configuration: everything that there is, registered once. `vid render examples/hello` uses it;
// a project of your own needs a line of it at most, and none for what the standard preset does.
import playwright from '@vid/capture-playwright'
import puppeteer from '@vid/capture-puppeteer'
import { defineConfig, definePreset } from '@vid/config'
import file from '@vid/deliver-file'
import webhook from '@vid/deliver-webhook'
import gif from '@vid/encoder-gif'
import hls from '@vid/encoder-hls'
import mov from '@vid/encoder-mov'
import mp4 from '@vid/encoder-mp4'
import pngSequence from '@vid/encoder-png-sequence'
import webm from '@vid/encoder-webm'
import alpha from '@vid/preset-alpha'
import aws from '@vid/preset-aws'
import social from '@vid/preset-social'
import disk from '@vid/store-disk'
import cloud from '@vid/target-cloud'
import docker from '@vid/target-docker'
import lambda from '@vid/target-lambda'
import local from '@vid/target-local'
import producer from '@vid/target-producer'

const { VID_BUCKET: bucket = 'videos', VID_WEBHOOK_URL: url = 'https://hooks.example.com/rendered' } = process.env

export default defineConfig({
  // What makes files; `--format` chooses.
  encoders: [mp4(), mov(), webm(), gif(), pngSequence(), hls()],
  // What keeps finished segments; `--no-cache` turns it off. For every machine of a team: s3({ bucket }) of @vid/store-s3.
  store: disk({ maxBytes: 5e9 }),
  // Where renders run; `--target` or VID_TARGET chooses.
  targets: {
    local: local(),
    docker: docker(),
    farm: producer({ url: 'http://127.0.0.1:9847' }),
    cloud: cloud(),
    aws: lambda(),
  },
  target: 'local',
  // Bundles of plugins and settings; `--preset` or VID_PRESET chooses. A slot that the config fills itself, such as
  // `encoders` above, would win over theirs: so what differs between them stands in them alone.
  presets: [
    definePreset({ name: 'puppeteer', capture: puppeteer({ lane: 'auto' }), deliveries: [file()] }),
    definePreset({ name: 'playwright', capture: playwright({ lane: 'auto' }), deliveries: [file()] }),
    definePreset({ name: 'notify', deliveries: [file(), webhook({ url })] }),
    aws({ bucket }),
    ...social(),
    ...alpha(),
  ],
  preset: 'puppeteer',
  // Settings that flags override.
  render: { fps: 30 },
})
