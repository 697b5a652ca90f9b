import type { Shadows } from '../document/shadows.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor } from '../realm/replace.ts'

/** Has a frame wait for a load; `detail` says for what. */
export type TrackLoad = (loading: Promise<unknown>, detail: string) => void

/** Files of elements that scripts add to a loaded page, or change in it. */
export interface ElementLoads {
  install(realm: Realm): void
  /** Waits for those that the browser loads only now, because their elements have just become visible. */
  request(): void
}

/** The attributes that name the file of an element, by its local name; the first one that is there counts. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  iframe: ['srcdoc', 'src'],
  object: ['data'],
  embed: ['src'],
  link: ['href'],
  use: ['href', 'xlink:href'],
}

const WATCHED = [...new Set(Object.values(ADDRESSES).flat()), 'rel', 'disabled']
const NAMES = [...Object.keys(ADDRESSES), 'style', 'script'].join()

/** Elements whose files the browser loads when they become visible, each time. */
const LOADED_WHEN_VISIBLE = 'object,embed'

const IMPORT = /@import\b/i

const isStyle = ({ type }: HTMLLinkElement | HTMLStyleElement): boolean => /^(text\/css)?$/i.test(type.trim())

const isStyleSheet = (link: HTMLLinkElement): boolean =>
  link.relList.contains('stylesheet') && !link.relList.contains('alternate') && !link.disabled && isStyle(link)

const isScript = ({ type, noModule }: HTMLScriptElement): boolean =>
  !noModule && (type === '' || type === 'module' || /(java|ecma)script/i.test(type))

/** Whether a frame would only scroll to another place of its document. */
const isSamePage = (frame: HTMLIFrameElement, address: URL): boolean => {
  const shown = frame.contentDocument?.URL
  return shown !== undefined && address.hash !== '' && shown.split('#')[0] === address.href.split('#')[0]
}

const loadsFrame = (frame: HTMLIFrameElement, changed: string | undefined): boolean => {
  if (frame.hasAttribute('srcdoc')) return changed !== 'src'
  const text = frame.getAttribute('src') ?? ''
  if (text === '' || !URL.canParse(text, frame.baseURI)) return false
  const address = new URL(text, frame.baseURI)
  return !/^(about|javascript):$/.test(address.protocol) && !(changed && isSamePage(frame, address))
}

/** Whether a part of a drawing is one of the same document, which needs no load. */
const isOfDocument = ({ baseURI, ownerDocument }: Element, address: string): boolean =>
  !URL.canParse(address, baseURI) || new URL(address, baseURI).href.split('#')[0] === ownerDocument.URL.split('#')[0]

/** Whether the browser will report the end of a load of an element, one of whose attributes may have changed. */
const willLoad = (element: Element, changed: string | undefined): boolean => {
  const { localName } = element
  if (localName === 'style') return IMPORT.test(element.textContent) && isStyle(element as HTMLStyleElement)
  if (localName === 'iframe') return loadsFrame(element as HTMLIFrameElement, changed)
  if (localName === 'link') return isStyleSheet(element as HTMLLinkElement) && element.hasAttribute('href')
  const address = ADDRESSES[localName]?.map((name) => element.getAttribute(name)).find((text) => text !== null) ?? ''
  return address !== '' && !(localName === 'use' && isOfDocument(element, address))
}

/** The elements among some nodes and below them whose files the browser may load. */
const loadersIn = (nodes: Iterable<Node>): Element[] =>
  [...nodes].flatMap((node) => {
    if (!('querySelectorAll' in node)) return []
    const inside = (node as Element).querySelectorAll(NAMES)
    return 'localName' in node && (node as Element).matches(NAMES) ? [node as Element, ...inside] : [...inside]
  })

/** Reports the scripts whose address a script sets: markup of a script may be one that never runs. */
const watchScripts = (realm: Realm, onScript: (script: Element) => void): void => {
  const proto = realm.HTMLScriptElement.prototype
  const set = Object.getOwnPropertyDescriptor(proto, 'src')?.set
  replaceAccessor(proto, 'src', {
    set(this: HTMLScriptElement, value: unknown) {
      // One that has an address in the document has begun to load, and never loads again.
      if (!this.isConnected || !this.hasAttribute('src')) onScript(this)
      set?.call(this, value)
    },
  })
}

/** The loads that frames wait for, by their elements. */
const createWaiting = (track: TrackLoad) => {
  const loads = new Map<Element, { readonly ended: Promise<void>; end(): void }>()
  const listenTo = (element: Element) => {
    let resolve = () => {}
    const ended = new Promise<void>((done) => (resolve = done))
    const end = () => {
      loads.delete(element)
      resolve()
    }
    for (const type of ['load', 'error']) natives.listen.call(element, type, end, { once: true })
    const load = { ended, end }
    loads.set(element, load)
    return load
  }
  return {
    /** Notes when a load ends that may begin before a frame waits for it. */
    expect(element: Element) {
      if (!loads.has(element)) listenTo(element)
    },
    wait(element: Element) {
      const { ended } = loads.get(element) ?? listenTo(element)
      const address = ADDRESSES[element.localName]?.map((name) => element.getAttribute(name)).find((text) => text) ?? ''
      track(ended, `<${element.localName}> ${address}`)
    },
    end: (element: Element) => loads.get(element)?.end(),
    /** A browser does not load what was removed, with its frame or alone. */
    endRemoved() {
      for (const [element, { end }] of loads) if (!element.isConnected || !element.ownerDocument.defaultView) end()
    },
  }
}

/** Creates the list of elements that load when they become visible. */
const createVisibleLoads = ({ expect, wait }: ReturnType<typeof createWaiting>) => {
  /** Whether each was visible when it was looked at last. */
  const seen = new Map<Element, boolean>()
  return {
    add(element: Element, isLoaded: boolean) {
      const isVisible = element.checkVisibility()
      seen.set(element, isVisible)
      if (!isVisible) expect(element)
      else if (!isLoaded) wait(element)
    },
    look() {
      for (const [element, wasVisible] of seen) {
        const isVisible = element.checkVisibility()
        if (isVisible && !wasVisible) wait(element)
        if (!isVisible && wasVisible) expect(element)
        seen.set(element, isVisible)
        if (!element.isConnected) seen.delete(element)
      }
    },
  }
}

/** Loads a frame, which a browser would load some time after it is scrolled into view, before the first picture. */
const loadLazy = (frame: HTMLIFrameElement, wait: (element: Element) => void): void => {
  const isEmpty = frame.contentDocument?.URL === 'about:blank'
  frame.loading = 'eager'
  if (isEmpty && loadsFrame(frame, undefined)) wait(frame)
}

/** Creates the list. What such an element shows is drawn once it has loaded: in which frame would depend on the machine. */
export const createElementLoads = (shadows: Pick<Shadows, 'onTree'>, track: TrackLoad): ElementLoads => {
  const waiting = createWaiting(track)
  const { wait, end, endRemoved } = waiting
  const visibleLoads = createVisibleLoads(waiting)
  /** Scripts that have not run. */
  const scripts = new WeakSet<Element>()

  const look = (element: Element, changed?: string) => {
    const { localName } = element
    if (localName === 'script') {
      if (scripts.delete(element) && isScript(element as HTMLScriptElement)) wait(element)
    } else if (!willLoad(element, changed)) {
      if (localName !== 'iframe') end(element)
    } else if (element.matches(LOADED_WHEN_VISIBLE)) {
      visibleLoads.add(element, false)
    } else {
      if (localName === 'iframe') (element as HTMLIFrameElement).loading = 'eager'
      wait(element)
    }
  }
  const observer = new MutationObserver((records) => {
    for (const { type, target, attributeName, addedNodes } of records) {
      if (type === 'childList') for (const element of loadersIn(addedNodes)) look(element)
      if ((target as Partial<Element>).localName === 'style') look(target as Element)
      else if (type === 'attributes' && (target as Element).matches(NAMES))
        look(target as Element, attributeName ?? undefined)
    }
    endRemoved()
  })
  const observe = (tree: Document | ShadowRoot) => {
    observer.observe(tree, { subtree: true, childList: true, attributeFilter: WATCHED })
  }

  return {
    install(realm) {
      const trees: (Document | ShadowRoot)[] = [realm.document]
      // What is there before is loaded with the document.
      const begin = () => {
        for (const tree of trees.splice(0)) {
          observe(tree)
          for (const element of tree.querySelectorAll(LOADED_WHEN_VISIBLE)) visibleLoads.add(element, true)
          for (const frame of tree.querySelectorAll<HTMLIFrameElement>('iframe[loading=lazy i]')) loadLazy(frame, wait)
        }
      }
      if (realm.document.readyState === 'complete') begin()
      else natives.listen.call(realm, 'load', begin, { capture: true, once: true })
      shadows.onTree((tree) => {
        if (tree.ownerDocument !== realm.document) return
        if (realm.document.readyState !== 'complete') return void trees.push(tree)
        observe(tree)
        for (const element of loadersIn([tree])) look(element)
      })
      watchScripts(realm, (script) => scripts.add(script))
    },
    request: visibleLoads.look,
  }
}
