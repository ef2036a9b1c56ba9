import { useState } from 'react'
import { checkout } from '../../../shared/contract/payments.ts'
import { useAction } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

const texts = billing.credits
const DEFAULT_USD = '10'

/** Buys credits on a page of Stripe, which leads back to the console. */
export const BuyCredits = ({ isPayg }: { isPayg: boolean }) => {
  const [turnsOn, setTurnsOn] = useState(!isPayg)
  const buy = useAction(checkout, { onSuccess: ({ url }) => location.assign(url) })
  return (
    <section className="card stack-small" aria-label={texts.buy}>
      <h2>{texts.buy}</h2>
      <Form
        error={buy.error}
        fields={['credits_usd']}
        onSubmit={(data) =>
          buy.mutate({
            query: { return_to: 'console' },
            body: {
              credits_usd: Number(data.get('credits_usd')),
              ...(turnsOn && !isPayg && { tier: 'payg' as const }),
            },
          })
        }
      >
        <TextField
          name="credits_usd"
          label={texts.amount}
          note={texts.amountNote}
          inputMode="decimal"
          defaultValue={DEFAULT_USD}
          isRequired
          validate={(value) => (value && Number.isNaN(Number(value)) ? texts.notAmount : null)}
        />
        {!isPayg && (
          <Checkbox isSelected={turnsOn} onChange={setTurnsOn}>
            {texts.alsoPayg}
          </Checkbox>
        )}
        <div className="form-actions">
          <Button type="submit" look="primary" isPending={buy.isPending || buy.isSuccess}>
            {texts.buy}
          </Button>
        </div>
      </Form>
    </section>
  )
}
