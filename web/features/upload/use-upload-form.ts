import { useEffect, useMemo, useRef, useState } from 'react'
import type { IdentifierType } from '#contract/identifier.ts'
import { useLeaveGuard } from '../../components/use-leave-guard.ts'
import { hashesByDefault } from './hash-rules.ts'
import { findForm, forgetForm, keepForm, type UploadForm } from './kept-form.ts'
import type { Preparation } from './preparing.ts'
import { useUploads } from './use-uploads.ts'

/** A form with files. It survives a reload until it is submitted or abandoned. */
export function useUploadForm(crowdId: number, defaults: { advId: number; form: UploadForm }) {
  const [kept] = useState(() => findForm(crowdId))
  // A choice holds as long as the top bar has the advertiser in place of which it was made.
  const [chosen, setChosen] = useState(kept && { advId: kept.advId, instead: kept.instead ?? defaults.advId })
  const advId = chosen?.instead === defaults.advId ? chosen.advId : defaults.advId
  const [form, setForm] = useState<UploadForm>(kept?.form ?? defaults.form)
  const { items, list } = useUploads(kept?.items ?? [])
  const isDone = useRef(false)

  const hasWork = items.length > 0 || form.name !== defaults.form.name
  useEffect(() => {
    if (isDone.current) return
    if (hasWork) keepForm({ kind: 'upload', crowdId, advId, instead: defaults.advId, form, items: [...items] })
    else if (findForm(crowdId)) forgetForm()
  }, [crowdId, advId, defaults.advId, form, items, hasWork])

  useLeaveGuard({
    isUnsaved: () => hasWork && !isDone.current,
    onLeave: () => {
      isDone.current = true
      list.discard()
      forgetForm()
    },
    lost: '离开后，已填写的内容和已上传的文件将丢失。',
  })

  const fill = (part: Partial<UploadForm>) => setForm((now) => ({ ...now, ...part }))
  const { type, hashes } = form
  const preparation = useMemo((): Preparation | null => type && { type, hashes }, [type, hashes])
  useEffect(() => {
    if (preparation) list.prepareAs(preparation)
  }, [list, preparation])

  return {
    form,
    fill,
    advId,
    setAdvId: (id: number) => setChosen({ advId: id, instead: defaults.advId }),
    items,
    list,
    preparation,
    chooseType: (type: IdentifierType) => fill({ type, hashes: hashesByDefault(type) }),
    setHashes: (hashes: boolean) => fill({ hashes }),
    /** Called after submitting: clears the stored form and leaves without asking, unless the viewer has already left. */
    finish: (leave: () => void) => {
      if (isDone.current) return
      isDone.current = true
      forgetForm()
      leave()
    },
  }
}
