from jobs.schedule import delay_before


def test_delays_double_and_are_capped():
    assert [delay_before(n) for n in (0, 1, 2, 20)] == [2.0, 4.0, 8.0, 300.0]
