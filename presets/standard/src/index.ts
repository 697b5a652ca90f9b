import puppeteer from '@vid/capture-puppeteer'
import { definePreset, type Preset } from '@vid/config'
import file from '@vid/deliver-file'
import gif from '@vid/encoder-gif'
import hls from '@vid/encoder-hls'
import mov from '@vid/encoder-mov'
import mp4 from '@vid/encoder-mp4'
import pngSequence from '@vid/encoder-png-sequence'
import webm from '@vid/encoder-webm'
import type { PluginOf } from '@vid/kernel'
import disk from '@vid/store-disk'
import local from '@vid/target-local'

export { default as segmentReuse } from '@vid/segment-reuse'

/** What renders when there is no config file: Chromium, all formats, this machine, a file. */
export const standard = (): Preset<'standard', Readonly<Record<'local', PluginOf<'target'>>>> =>
  definePreset({
    name: 'standard',
    capture: puppeteer(),
    encoders: [mp4(), mov(), webm(), gif(), pngSequence(), hls()],
    store: disk(),
    targets: { local: local() },
    target: 'local',
    deliveries: [file()],
  })

export default standard
