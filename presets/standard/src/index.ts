import puppeteer from '@vid/capture-puppeteer'
import { definePreset, type Preset } from '@vid/config'
import file from '@vid/deliver-file'
import mp4 from '@vid/encoder-mp4'
import type { PluginOf } from '@vid/kernel'
import disk from '@vid/store-disk'
import local from '@vid/target-local'

/** What renders when there is no config file: Chromium, mp4, this machine, a file. */
export const standard = (): Preset<'standard', { readonly local: PluginOf<'target'> }> =>
  definePreset({
    name: 'standard',
    capture: puppeteer(),
    encoders: [mp4()],
    store: disk(),
    targets: { local: local() },
    target: 'local',
    deliveries: [file()],
  })

export default standard
