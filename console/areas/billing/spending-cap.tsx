import { useRef } from 'react'
import { type BillingMe, setPaygCap } from '../../../shared/contract/billing.ts'
import { useAction } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { dollars } from '../../texts/tools/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Meter, shareOf } from '../../ui/meter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = billing.credits

/** The most that pay as you go may spend in a month: shown, set and removed. */
export const SpendingCap = ({ payg: { cap_usd, spent_usd } }: Pick<BillingMe, 'payg'>) => {
  const section = useRef<HTMLElement>(null)
  const change = useAction(setPaygCap, {
    onSuccess: ({ cap_usd: cap }) => {
      notify(cap === null ? texts.capRemoved : texts.capSet(dollars(cap, 6)))
      // The button to remove the cap disappears with it.
      if (cap === null) section.current?.querySelector('input')?.focus()
    },
  })
  const share = shareOf(spent_usd, cap_usd)
  return (
    <section className="card stack-small" aria-label={texts.cap} ref={section}>
      <h2>{texts.cap}</h2>
      <p className="quiet">{texts.capNote}</p>
      {cap_usd === null ? (
        <p>{texts.noCap(dollars(spent_usd, 6))}</p>
      ) : (
        <Meter
          label={texts.cap}
          value={texts.capIs(dollars(spent_usd, 6), dollars(cap_usd, 6))}
          share={share}
        />
      )}
      {share >= 1 && <Notice look="bad">{texts.capReached}</Notice>}
      <Form
        error={change.error}
        fields={['cap_usd']}
        onSubmit={(data) => change.mutate({ body: { cap_usd: Number(data.get('cap_usd')) } })}
      >
        <TextField
          key={String(cap_usd)}
          name="cap_usd"
          label={texts.capAmount}
          inputMode="decimal"
          isRequired
          defaultValue={cap_usd === null ? '' : String(cap_usd)}
          validate={(value) => (value && Number.isNaN(Number(value)) ? texts.notAmount : null)}
        />
        <div className="form-actions">
          <Button type="submit" isPending={change.isPending}>
            {texts.setCap}
          </Button>
          {cap_usd !== null && (
            <Button look="danger" onPress={() => change.mutate({ body: { cap_usd: null } })}>
              {texts.removeCap}
            </Button>
          )}
        </div>
      </Form>
    </section>
  )
}
