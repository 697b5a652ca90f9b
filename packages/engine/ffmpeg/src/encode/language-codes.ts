/** ISO 639-2 codes by those of two letters: containers have no others. */
const CODES =
  'af:afr am:amh ar:ara az:aze be:bel bg:bul bn:ben bs:bos ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas fi:fin fr:fra ga:gle gl:glg gu:guj he:heb hi:hin hr:hrv hu:hun hy:hye id:ind is:isl it:ita ja:jpn ka:kat kk:kaz km:khm kn:kan ko:kor ky:kir la:lat lo:lao lt:lit lv:lav mk:mkd ml:mal mn:mon mr:mar ms:msa my:mya nb:nob ne:nep nl:nld nn:nno no:nor pa:pan pl:pol ps:pus pt:por ro:ron ru:rus sa:san si:sin sk:slk sl:slv so:som sq:sqi sr:srp sv:swe sw:swa ta:tam te:tel tg:tgk th:tha tk:tuk tl:tgl tr:tur uk:ukr ur:urd uz:uzb vi:vie yo:yor zh:zho zu:zul'

const BY_TAG = new Map(CODES.split(' ').map((pair) => pair.split(':') as [string, string]))

/** The code of three letters of a language tag such as `pt-BR`; `und` for one that has none here. */
export const languageCode = (tag: string): string => {
  const [language = ''] = tag.toLowerCase().split(/[-_]/)
  return /^[a-z]{3}$/.test(language) ? language : (BY_TAG.get(language) ?? 'und')
}
