import './before-page.ts'
import '../main.ts'
import type { PageConfig } from '../../contract/page-config.ts'
import { PAGE_HOST, type PageHost } from '../../contract/page-host.ts'
import type { PlayerComposition, PlayerPageCalls, PlayerSettings } from '../../contract/player.ts'
import { createSheet } from '../document/sheet.ts'
import { readBoxes } from '../outline/boxes.ts'
import { readClips } from '../outline/clip-tree.ts'
import { readMotions } from '../outline/motions.ts'
import type { Page } from '../page.ts'
import { createDisplay } from './frame-display.ts'
import { createMediaServer } from './media-server.ts'
import { stillMedia } from './native-videos.ts'
import { openPage } from './open-page.ts'
import { browser } from './player-natives.ts'
import { type Emit, fault, servePlayer } from './port.ts'
import { readSourceBytes } from './source-bytes.ts'

declare const __VID_CONFIG__: PageConfig
declare const __VID_PLAYER__: PlayerSettings

const startedMs = browser.now()
const host = Reflect.get(window, PAGE_HOST) as PageHost
const { page } = Reflect.get(window, Symbol.for('vid.runtime')) as { readonly page: Page }
const settings = __VID_PLAYER__

const createCalls = (emit: Emit): PlayerPageCalls => {
  const media = createMediaServer(settings)
  const notOpen = async () => {
    throw fault('script', 'no frame can be shown before the composition is open')
  }
  let display: Pick<PlayerPageCalls, 'show' | 'findPoster' | 'patch'> = {
    show: notOpen,
    findPoster: notOpen,
    patch: notOpen,
  }
  return {
    async open(): Promise<PlayerComposition> {
      const { probe, facts } = await openPage(host, media, emit)
      const { width, height, fps, fpsDivisor = 1, variables } = __VID_CONFIG__
      const duration = settings.duration ?? probe.duration
      display = createDisplay({ host, page, media, probe, duration: duration ?? 0, emit })
      return {
        width,
        height,
        fps,
        fpsDivisor,
        duration,
        variables,
        probe,
        facts,
        hasServer: settings.mediaBase !== undefined,
        clips: readClips(page),
        motions: readMotions(page),
        readyMs: browser.now() - startedMs,
      }
    },
    show: (request) => display.show(request),
    findPoster: () => display.findPoster(),
    patch: (patches) => display.patch(patches),
    boxes: async () => readBoxes(__VID_CONFIG__),
    readSource: readSourceBytes,
    readSound: media.sound,
  }
}

page.onTree(stillMedia)
if (settings.css) createSheet(window, settings.css)

servePlayer(createCalls)
